# SPDX-License-Identifier: MIT
"""Canny and hysteresis: OpenCV on 8 bits, pixel for pixel, and scikit-image."""

import cv2
import numpy as np
import skimage.filters
from scipy import ndimage

from colors import luminance
from compare import Suite


def spiral(size: int, pitch: int) -> np.ndarray:
    """One line of grey that winds from the corner to the middle, its turns `pitch` pixels apart."""
    image = np.zeros((size, size), np.uint8)
    x = y = turn = 0
    length = size - 1
    while length > 0:
        dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
        for _ in range(length):
            image[y, x] = 128
            x, y = x + dx, y + dy
        turn += 1
        length -= pitch if turn > 2 and turn % 2 else 0
    return image


def canny(suite: Suite) -> None:
    random = np.random.default_rng(3)
    pictures = [suite.pictures["u8x1"]]
    for name, pixels in (("noise", random.integers(0, 256, (97, 131))), ("few", random.integers(0, 4, (64, 200)) * 60),
                         ("smooth", cv2.GaussianBlur(random.integers(0, 256, (150, 140)).astype(np.uint8), (0, 0), 2)),
                         ("line", random.integers(0, 256, (1, 50))), ("column", random.integers(0, 256, (50, 1))),
                         ("checkers", np.indices((60, 61)).sum(0) // 3 % 2 * 200), ("spiral", spiral(400, 7))):
        pictures.append(suite.picture(f"canny_{name}", pixels.astype(np.uint8)[:, :, None]))
    for picture in pictures:
        for aperture, scale in ((3, 1), (5, 12), (7, 150)):
            for norm in ("l1", "l2"):
                for low, high in ((20, 60), (50, 150), (100, 101), (200, 90), (0, 400)):
                    low, high = low * scale, high * scale
                    expected = cv2.Canny(picture.pixels[:, :, 0], low, high, apertureSize=aperture,
                                         L2gradient=norm == "l2")
                    graph = f"canny={low}:{high}:sigma=0:aperture={aperture}:norm={norm}:unit=levels"
                    suite.same(graph, "cv2 Canny", picture, expected)


def gpuimage(plane: np.ndarray, low: float, high: float, sigma: float) -> np.ndarray:
    """GPUImage's shaders one after the other, in double precision and without rounding to 8 bits between them."""
    radius = int(np.sqrt(-2 * sigma**2 * np.log(sigma * np.sqrt(2 * np.pi) / 256)))
    radius += radius % 2
    weights = np.exp(-np.arange(-radius, radius + 1)**2 / (2 * sigma**2))
    for axis in (0, 1):
        plane = ndimage.correlate1d(plane, weights / weights.sum(), axis, mode="nearest")
    x, y = ndimage.sobel(plane, 1, mode="nearest"), ndimage.sobel(plane, 0, mode="nearest")
    length = np.hypot(x, y)
    scale = np.where(length > 0, length, 1)
    step_x, step_y = (np.sign(v) * np.floor(np.abs(v) / scale + 0.617316) for v in (x, y))
    length = np.minimum(length, 1)
    padded = np.pad(length, 1, mode="edge")
    rows, columns = np.indices(length.shape) + 1
    along = (step_y.astype(int), step_x.astype(int))
    largest = np.maximum(padded[rows + along[0], columns + along[1]], padded[rows - along[0], columns - along[1]])
    share = np.clip((length - low) / (high - low), 0, 1)
    edges = np.where(largest <= length, share**2 * (3 - 2 * share), 0)
    return (edges >= 0.01) & (9 * ndimage.uniform_filter(edges, 3, mode="nearest") >= 1.5)


def compat(suite: Suite) -> None:
    for name in ("u8x1", "u16x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        for low, high, sigma in ((0.1, 0.4, 2), (0.3, 0.9, 1.3)):
            expected = gpuimage(luminance(picture.real), low, high, sigma)
            suite.real(f"canny={low}:{high}:{sigma}:compat=gpuimage", "GPUImage's shaders", picture, expected, 0,
                       "where nothing is within rounding of a threshold")


def hysteresis(suite: Suite) -> None:
    for name in ("u8x1", "u16x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        plane = luminance(picture.real)
        for low, high in ((0.301, 0.717), (0.413, 0.4131), (0.9, 0.203)):
            # scikit-image connects 4 neighbors.
            expected = skimage.filters.apply_hysteresis_threshold(plane, low, high)
            suite.real(f"hysteresis={low}:{high}:neighbors=4", "skimage hysteresis", picture, expected, 0)
    # One bright pixel at one end brings in all of a line however long; none, nothing.
    for bright, expected in ((0, False), (255, True)):
        line = spiral(1201, 4)
        expected = line > 0 if expected else np.zeros(line.shape)
        line[0, 0] = max(bright, 128)
        picture = suite.picture(f"spiral_{bright}", line[:, :, None])
        suite.real("hysteresis=0.25:0.75", "the spiral itself", picture, expected, 0)


def compare(suite: Suite) -> None:
    for part in (canny, compat, hysteresis):
        part(suite)
