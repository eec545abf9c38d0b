# SPDX-License-Identifier: MIT
"""Morphology and median: nothing is computed, values are only chosen, so every comparison is bit for bit."""

import cv2
import numpy as np
from scipy import ndimage

import borders
from compare import Suite
from pictures import Picture

FORMATS = ("u8x1", "u8x3", "u8x4", "u16x1", "u16x3", "u16x4", "f32x1", "f32x3", "f32x4")
SIZES = ((1, 1), (2, 5), (15, 15), (40, 0))


def opencv(picture: Picture, operation: int, radius_x: int, radius_y: int, border: str) -> np.ndarray:
    kernel = np.ones((2 * radius_y + 1, 2 * radius_x + 1), np.uint8)
    if border == "shrink":  # OpenCV's own default: pixels outside never win
        return cv2.morphologyEx(picture.flat, operation, kernel)
    return cv2.morphologyEx(picture.flat, operation, kernel, borderType=borders.OPENCV[border], borderValue=0)


def extremes(suite: Suite) -> None:
    for name in FORMATS:
        picture = suite.pictures[name]
        for filter, operation in (("dilate", cv2.MORPH_DILATE), ("erode", cv2.MORPH_ERODE)):
            for radius_x, radius_y in SIZES:
                suite.same(f"{filter}={radius_x}:{radius_y}", f"cv2 {filter}", picture,
                           opencv(picture, operation, radius_x, radius_y, "mirror"))
    picture = suite.pictures["u8x3"]
    for border in (*borders.OPENCV, "shrink"):
        for filter, operation in (("dilate", cv2.MORPH_DILATE), ("erode", cv2.MORPH_ERODE)):
            suite.same(f"{filter}=6:3:border={border}", f"cv2 {filter}", picture,
                       opencv(picture, operation, 6, 3, border))


def scipy_extremes(suite: Suite) -> None:
    functions = (("dilate", ndimage.maximum_filter), ("erode", ndimage.minimum_filter))
    for name in ("u16x1", "f32x3"):
        picture = suite.pictures[name]
        for border in borders.ALL:
            for filter, function in functions:
                suite.same(f"{filter}=4:9:border={border}", f"scipy {function.__name__}", picture,
                           function(picture.pixels, size=(19, 9, 1), mode=borders.SCIPY[border]))
    # A window larger than the picture, which every border has to fill several times.
    picture = suite.picture("small", np.ascontiguousarray(suite.pictures["u16x3"].pixels[100:117, 60:83]))
    for border in borders.ALL:
        for filter, function in functions:
            suite.same(f"{filter}=30:25:border={border}", f"scipy {function.__name__}", picture,
                       function(picture.pixels, size=(51, 61, 1), mode=borders.SCIPY[border]))


def pairs(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for filter, operation in (("opening", cv2.MORPH_OPEN), ("closing", cv2.MORPH_CLOSE)):
            for radius_x, radius_y in SIZES:
                suite.same(f"{filter}={radius_x}:{radius_y}:border=shrink", f"cv2 {filter}", picture,
                           opencv(picture, operation, radius_x, radius_y, "shrink"))
            for border in ("replicate", "mirror"):
                suite.same(f"{filter}=3:border={border}", f"cv2 {filter}", picture,
                           opencv(picture, operation, 3, 3, border))


def median_shrink(image: np.ndarray, radius: int) -> np.ndarray:
    """The middle of what lies inside: of n sorted values the one at place n // 2."""
    height, width = image.shape[:2]
    out = np.empty_like(image)
    for y in range(height):
        for x in range(width):
            window = image[max(y - radius, 0):y + radius + 1, max(x - radius, 0):x + radius + 1]
            values = np.sort(window.reshape(-1, image.shape[2]), axis=0)
            out[y, x] = values[len(values) // 2]
    return out


def median(suite: Suite) -> None:
    for name, radii in (("u8x1", (1, 2, 3, 7, 20)), ("u8x3", (1, 2, 4, 11)), ("u8x4", (1, 3)), ("u16x1", (1, 2)),
                        ("u16x3", (1, 2)), ("f32x1", (1, 2)), ("f32x3", (1, 2))):
        picture = suite.pictures[name]
        for radius in radii:  # OpenCV's only border is replicate
            suite.same(f"median={radius}:border=replicate", "cv2 medianBlur", picture,
                       cv2.medianBlur(picture.flat, 2 * radius + 1))
    for name, radius in (("u8x3", 2), ("u16x3", 3), ("f32x3", 3), ("f32x1", 6)):
        picture = suite.pictures[name]
        for border in borders.ALL:
            size = (2 * radius + 1, 2 * radius + 1, 1)
            suite.same(f"median={radius}:border={border}", "scipy median_filter", picture,
                       ndimage.median_filter(picture.pixels, size=size, mode=borders.SCIPY[border]))
    for name in ("u8x3", "u16x1", "f32x1"):
        picture = suite.picture(f"corner_{name}", np.ascontiguousarray(suite.pictures[name].pixels[40:70, 90:131]))
        for radius in (1, 5):
            suite.same(f"median={radius}:border=shrink", "numpy, sorted", picture,
                       median_shrink(picture.pixels, radius))


def compare(suite: Suite) -> None:
    for part in (extremes, scipy_extremes, pairs, median):
        part(suite)
