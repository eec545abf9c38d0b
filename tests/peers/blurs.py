# SPDX-License-Identifier: MIT
"""Gaussians and what is made of them: SciPy in double precision cut at 7 sigma, OpenCV, scikit-image."""

import math

import cv2
import numpy as np
import skimage.filters
from scipy import ndimage

import borders
from compare import Suite
from pictures import Picture, premultiplied, straight

# weft promises 7e-6 along each axis, of the picture's range, which in f32 is 1.25.
SIGMA = 2e-5
WEFT_CUT = "weft cuts and interpolates its gaussian within 7e-6 along each axis"
# By sigma means that what OpenCV's wide kernels leave out does not show in f32.
WIDE = 6


def gaussian(image: np.ndarray, sigma: float | tuple[float, float], border: str) -> np.ndarray:
    """SciPy's, over rows and columns of an image of any number of channels."""
    sigmas = (*(sigma if isinstance(sigma, tuple) else (sigma, sigma)), 0)
    if border != "shrink":
        return ndimage.gaussian_filter(image, sigmas, mode=borders.SCIPY[border], truncate=7)
    ones = np.ones(image.shape[:2] + (1,))
    inside = ndimage.gaussian_filter(ones, sigmas, mode="constant", truncate=7)
    return ndimage.gaussian_filter(image, sigmas, mode="constant", truncate=7) / inside


def opencv_gaussian(image: np.ndarray, sigma: float, border: str) -> np.ndarray:
    size = 2 * math.ceil(WIDE * sigma) + 1
    return cv2.GaussianBlur(image, (size, size), sigma, borderType=borders.OPENCV[border])


def sigmas(suite: Suite) -> None:
    picture = suite.pictures["f32x3"]
    for sigma in (0.3, 0.5, 0.8, 1, 1.7, 2.5, 3.9, 4.1, 6, 10, 17, 30, 50):
        suite.real(f"gaussian={sigma}", "scipy gaussian_filter", picture, gaussian(picture.real, sigma, "mirror"),
                   SIGMA, WEFT_CUT)
    for sigma in (0.3, 0.8, 2, 4, 5, 12, 25, 50):
        suite.real(f"gaussian={sigma}", "cv2 GaussianBlur", picture, opencv_gaussian(picture.pixels, sigma, "mirror"),
                   SIGMA, WEFT_CUT)
    for sigma in (1.3, 9):
        expected = skimage.filters.gaussian(picture.real, sigma, mode="mirror", truncate=7, channel_axis=2)
        suite.real(f"gaussian={sigma}", "skimage gaussian", picture, expected, SIGMA, WEFT_CUT)


def all_borders(suite: Suite) -> None:
    picture = suite.pictures["f32x3"]
    for border in (*borders.ALL, "shrink"):
        for sigma in (0.8, 3, 25):
            suite.real(f"gaussian={sigma}:border={border}", "scipy gaussian_filter", picture,
                       gaussian(picture.real, sigma, border), SIGMA, WEFT_CUT)
    for border in borders.OPENCV:
        for sigma in (1.5, 11):
            suite.real(f"gaussian={sigma}:border={border}", "cv2 GaussianBlur", picture,
                       opencv_gaussian(picture.pixels, sigma, border), SIGMA, WEFT_CUT)


def formats(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x1", "u16x3", "f32x1", "f32x4"):
        picture = suite.pictures[name]
        for sigma in (1.5, 12):
            suite.real(f"gaussian={sigma}", "scipy gaussian_filter", picture, gaussian(picture.real, sigma, "mirror"),
                       SIGMA, WEFT_CUT)


def with_alpha(suite: Suite) -> None:
    """Colors count by their alpha. Where little alpha arrives the color is a quotient of small numbers: left out."""
    for name in ("u8x4", "u16x4"):
        picture = suite.pictures[name]
        for sigma in (2, 15):
            expected = straight(gaussian(premultiplied(picture.real), sigma, "mirror"))
            certain = np.concatenate([np.repeat(expected[:, :, 3:] > 0.02, 3, axis=2),
                                      np.ones_like(expected[:, :, 3:], bool)], axis=2)
            suite.real(f"gaussian={sigma}", "scipy premultiplied", picture, expected, 50 * SIGMA,
                       "alpha from 0.02 divides weft's 2e-5", certain)


def parameters(suite: Suite) -> None:
    picture = suite.pictures["f32x3"]
    suite.real("gaussian=3:0.7", "scipy gaussian_filter", picture, gaussian(picture.real, (0.7, 3), "mirror"), SIGMA,
               WEFT_CUT)
    suite.real("gaussian=2:20", "scipy gaussian_filter", picture, gaussian(picture.real, (20, 2), "mirror"), SIGMA,
               WEFT_CUT)
    # Cut at a radius of the user's: both normalise what is left, and the same weights are in both.
    for radius in (1, 8, 16):
        expected = ndimage.gaussian_filter(picture.real, (3, 3, 0), mode="mirror", radius=(radius, radius, 0))
        suite.real(f"gaussian=3:radius={radius}", "scipy gaussian_filter radius", picture, expected, 3e-6)
    expected = cv2.GaussianBlur(picture.pixels, (9, 9), 2.0, borderType=cv2.BORDER_REFLECT_101)
    suite.real("gaussian=2:radius=4", "cv2 GaussianBlur 9x9", picture, expected, 3e-6)
    for step in (4, 8):
        suite.real(f"gaussian=20:downsample={step}", "scipy gaussian_filter", picture,
                   gaussian(picture.real, 20, "mirror"), 7.5e-4, "downsample is promised within 6e-4 of the range")


def linear_light(suite: Suite) -> None:
    from colors import srgb_decode, srgb_encode
    for name in ("u8x3", "f32x3"):
        picture = suite.pictures[name]
        expected = srgb_encode(gaussian(srgb_decode(picture.real), 3, "mirror"))
        suite.real("gaussian=3:space=linear", "scipy in linear light", picture, expected, 3e-4,
                   "the curve is 12.92 steep in the dark: 13 x 2e-5")


def opencv_integers(suite: Suite) -> None:
    """OpenCV's own u8 and u16 blurs, with the kernel given wide so that only its arithmetic differs."""
    for name, steps, reason in (("u8x1", 1, "cv2 rounds its u8 taps to 8 or 16 fractional bits, weft rounds once"),
                                ("u8x3", 1, "cv2 rounds its u8 taps to 8 or 16 fractional bits, weft rounds once"),
                                ("u16x3", 2, "cv2 rounds its u16 taps to 16 fractional bits; weft's cut is 1.3 steps")):
        picture = suite.pictures[name]
        for sigma in (1, 3, 8):
            suite.same(f"gaussian={sigma}", "cv2 GaussianBlur integers", picture,
                       opencv_gaussian(picture.flat, sigma, "mirror"), steps, reason)


def sampled_axis(image: np.ndarray, radius: float, axis: int) -> np.ndarray:
    """17 linear samples along one axis, each by SciPy's shift with clamped coordinates."""
    weights = np.exp(-9 * (np.arange(-8, 9) / 8) ** 2)
    total = np.zeros_like(image)
    for i, weight in zip(range(-8, 9), weights / weights.sum()):
        move = [0.0, 0.0]
        move[axis] = -i * radius / 8
        total += weight * ndimage.shift(image, move, order=1, mode="nearest")
    return total


def sampled(suite: Suite) -> None:
    picture = suite.pictures["f32x3"]
    for radius in (0, 4.3, 8, 12.5, 32):
        expected = borders.each_channel(lambda plane: sampled_axis(sampled_axis(plane, radius, 1), radius, 0),
                                        picture.real)
        suite.real(f"gaussian_sampled={radius}:border=replicate", "scipy shift", picture, expected, 3e-6)


def unsharp(suite: Suite) -> None:
    for name in ("u8x3", "u16x1", "f32x3"):
        picture = suite.pictures[name]
        for sigma, amount in ((1, 0.5), (3, 1.2), (12, 2)):
            graph = f"unsharp_mask={sigma}:{amount}:border=symmetric"
            channels = 2 if picture.pixels.shape[2] > 1 else None
            expected = skimage.filters.unsharp_mask(picture.real[:, :, 0] if channels is None else picture.real,
                                                    radius=sigma, amount=amount, channel_axis=channels,
                                                    preserve_range=True)
            suite.real(graph, "skimage unsharp_mask", picture, expected, 1.5e-4 * amount,
                       "skimage cuts its gaussian at 4 sigma, 1.3e-4 of it; 2e-5 is weft's")
    picture = suite.pictures["f32x3"]
    difference = picture.real - gaussian(picture.real, 2, "mirror")
    detail = np.sign(difference) * np.maximum(np.abs(difference) - 0.03, 0)
    suite.real("unsharp_mask=2:1.5:0.03", "scipy gaussian_filter", picture, picture.real + 1.5 * detail, 2 * SIGMA,
               "1.5 times weft's 2e-5")


def pyramid(suite: Suite) -> None:
    """Half of the multirate form by itself: a blur of which every step-th pixel is kept, about the image's middle."""
    full = suite.pictures["f32x1"].pixels
    picture: Picture = suite.picture("odd", np.ascontiguousarray(full[:297, :401]))  # 8 n + 1: coarse pixels are whole
    blurred = gaussian(picture.real, 3.6, "mirror")
    suite.real("gaussian_reduce=3.6:4", "scipy gaussian_filter", picture, blurred[::4, ::4], SIGMA, WEFT_CUT)


def bilateral_lines(suite: Suite) -> None:
    """GPUImage's bilateral filter: 9 pixels of a column, then of a row."""
    for name in ("u8x3", "f32x4"):
        picture = suite.pictures[name]
        made = picture.real
        for axis in (0, 1):
            sums, weights = np.zeros(made.shape), np.zeros((*made.shape[:2], 1))
            for q, share in zip(range(-4, 5), (.05, .09, .12, .15, .18, .15, .12, .09, .05)):
                places = np.clip(np.arange(made.shape[axis]) + 3 * q, 0, made.shape[axis] - 1)
                there = np.take(made, places, axis)
                weight = share * (1 - np.minimum(5 * np.linalg.norm(there - made, axis=2, keepdims=True), 1))
                sums, weights = sums + weight * there, weights + weight
            made = sums / weights
        suite.real("bilateral_1d=3:5:replicate", "numpy, the formula", picture, made, 2e-5, "sums of f32")


def compare(suite: Suite) -> None:
    for part in (sigmas, all_borders, formats, with_alpha, parameters, linear_light, opencv_integers, sampled, unsharp,
                 pyramid, bilateral_lines):
        part(suite)
