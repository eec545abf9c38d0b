# SPDX-License-Identifier: MIT
"""Derivatives and the user's own kernels: OpenCV in f32, SciPy in double precision."""

import cv2
import numpy as np
import skimage.filters
from scipy import ndimage

import borders
from colors import luminance
from compare import Suite
from pictures import Picture

SHARPEN = np.array([[0.1, -0.7, 0.2], [-0.9, 3.5, -0.8], [0.3, -0.6, -0.1]])
EDGE = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, -3.0], [1.5, -0.25, 0.25]])
KERNELS = {"4": [[0, 1, 0], [1, -4, 1], [0, 1, 0]], "8": [[1, 1, 1], [1, -8, 1], [1, 1, 1]],
           "cv3": [[2, 0, 2], [0, -8, 0], [2, 0, 2]], "gpuimage": [[0.5, 1, 0.5], [1, -6, 1], [0.5, 1, 0.5]]}


def gradient(plane: np.ndarray, component: str, border: str) -> np.ndarray:
    mode = borders.SCIPY["replicate" if border == "shrink" else border]  # a difference has no mean to shrink
    x, y = ndimage.sobel(plane, 1, mode=mode), ndimage.sobel(plane, 0, mode=mode)
    return {"x": x, "y": y, "magnitude": np.hypot(x, y)}[component]


def sobel(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        for component in ("magnitude", "x", "y"):
            suite.real(f"sobel={component}", "scipy sobel", picture,
                       gradient(luminance(picture.real), component, "mirror"), 4e-6)
    picture = suite.pictures["f32x3"]
    for border in (*borders.ALL, "shrink"):
        suite.real(f"sobel=border={border}:edge_strength=0.5", "scipy sobel", picture,
                   0.5 * gradient(luminance(picture.real), "magnitude", border), 4e-6)
    plane = luminance(picture.real).astype(np.float32)
    for border, code in borders.OPENCV.items():
        x = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, borderType=code)
        y = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, borderType=code)
        suite.real(f"sobel=x:border={border}", "cv2 Sobel", picture, x, 4e-6, "both compute in f32")
        suite.real(f"sobel=y:border={border}", "cv2 Sobel", picture, y, 4e-6, "both compute in f32")
    # scikit-image averages: its weights sum to 1/4 each way, and its length is over the square root of 2.
    suite.real("sobel=border=symmetric", "skimage sobel", picture,
               4 * np.sqrt(2) * skimage.filters.sobel(luminance(picture.real), mode="reflect"), 4e-6)


def laplacian(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x3", "f32x4"):
        picture = suite.pictures[name]
        for kernel, weights in KERNELS.items():
            expected = ndimage.correlate(picture.real, np.array(weights, float)[:, :, None], mode="mirror")
            suite.real(f"laplacian={kernel}:0.25", "scipy correlate", picture, expected + 0.25, 6e-6)
    picture = suite.pictures["f32x3"]
    for kernel, size in (("4", 1), ("cv3", 3)):
        for border, code in borders.OPENCV.items():
            expected = cv2.Laplacian(picture.pixels, cv2.CV_32F, ksize=size, borderType=code)
            suite.real(f"laplacian={kernel}:border={border}", f"cv2 Laplacian {size}", picture, expected, 6e-6,
                       "both compute in f32")
    for border in borders.ALL:
        expected = borders.each_channel(lambda plane: ndimage.laplace(plane, mode=borders.SCIPY[border]), picture.real)
        suite.real(f"laplacian=border={border}", "scipy laplace", picture, expected, 6e-6)


def convolve3x3(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x3", "f32x4"):
        picture = suite.pictures[name]
        for kernel in (SHARPEN, EDGE):
            graph = "convolve3x3=" + "|".join(f"{weight:g}" for weight in kernel.flat) + ":0.05"
            expected = ndimage.correlate(picture.real, kernel[:, :, None], mode="mirror") + 0.05
            suite.real(graph, "scipy correlate", picture, expected, 4e-6)
    picture = suite.pictures["f32x3"]
    graph = "convolve3x3=" + "|".join(f"{weight:g}" for weight in SHARPEN.flat)
    for border, code in borders.OPENCV.items():
        suite.real(f"{graph}:border={border}", "cv2 filter2D", picture,
                   cv2.filter2D(picture.pixels, cv2.CV_32F, SHARPEN, borderType=code), 4e-6, "both compute in f32")
    for border in borders.ALL:
        suite.real(f"{graph}:border={border}", "scipy correlate", picture,
                   ndimage.correlate(picture.real, SHARPEN[:, :, None], mode=borders.SCIPY[border]), 4e-6)
    picture = suite.pictures["u8x3"]
    suite.same(graph, "cv2 filter2D u8", picture, cv2.filter2D(picture.pixels, -1, SHARPEN), 1,
               "near halves one rounds up, one down")


def separable(picture: Picture, row: np.ndarray, column: np.ndarray, border: str, flip: bool) -> np.ndarray:
    function = ndimage.convolve1d if flip else ndimage.correlate1d
    mode = borders.SCIPY[border]
    return function(function(picture.real, row, axis=1, mode=mode), column, axis=0, mode=mode)


def separables(suite: Suite) -> None:
    random = np.random.default_rng(7)
    for size_x, size_y in ((1, 3), (17, 17), (5, 41), (3, 1)):
        row, column = random.uniform(-1, 1.5, size_x), random.uniform(-1, 1.5, size_y)
        row, column = np.round(row / np.abs(row).sum(), 6), np.round(column / np.abs(column).sum(), 6)
        weights = ":".join(f"{name}={'|'.join(f'{w:.6f}' for w in list)}"
                           for name, list in (("row", row), ("column", column)))
        # SciPy calls the flipped form convolution, as weft does; the list's middle is the centre in both.
        for name in ("u8x3", "u16x1", "f32x3"):
            picture = suite.pictures[name]
            for border in borders.ALL if name == "f32x3" else ("mirror",):
                for filter, flip in (("convolve_separable", True), ("correlate_separable", False)):
                    expected = separable(picture, row, column, border, flip)
                    graph = f"{filter}=border={border}:{weights}"
                    suite.real(graph, "scipy convolve1d" if flip else "scipy correlate1d", picture, expected, 3e-6)
        picture = suite.pictures["f32x3"]
        for border, code in borders.OPENCV.items():
            expected = cv2.sepFilter2D(picture.pixels, cv2.CV_32F, row, column, borderType=code)
            suite.real(f"correlate_separable=border={border}:{weights}", "cv2 sepFilter2D", picture, expected, 3e-6,
                       "both compute in f32")


def compare(suite: Suite) -> None:
    for part in (sobel, laplacian, convolve3x3, separables):
        part(suite)
