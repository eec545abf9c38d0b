# SPDX-License-Identifier: MIT
"""Box and bilateral: sums in whole numbers, OpenCV, SciPy, and the bilateral's definition in double precision."""

import cv2
import numpy as np
from scipy import ndimage

import borders
from compare import EXACT, Suite
from pictures import FULL_SCALE, premultiplied, straight

BOX = 1e-6  # f32 sums that weft keeps from drifting


def window_sums(image: np.ndarray, radius_x: int, radius_y: int) -> np.ndarray:
    """Sums over the part of each window that lies inside the image, by a table of sums; exact in int64."""
    height, width = image.shape[:2]
    table = np.zeros((height + 1, width + 1) + image.shape[2:], image.dtype)
    table[1:, 1:] = image.cumsum(axis=0).cumsum(axis=1)
    y, x = np.arange(height), np.arange(width)
    top, bottom = np.maximum(y - radius_y, 0), np.minimum(y + radius_y + 1, height)
    left, right = np.maximum(x - radius_x, 0), np.minimum(x + radius_x + 1, width)
    rows = table[bottom] - table[top]
    return rows[:, right] - rows[:, left]


def padded_sums(image: np.ndarray, radius_x: int, radius_y: int, border: str) -> tuple[np.ndarray, np.ndarray]:
    """Sums and how many pixels are in each."""
    if border == "shrink":
        ones = np.ones(image.shape[:2] + (1,), np.int64)
        return window_sums(image, radius_x, radius_y), window_sums(ones, radius_x, radius_y)
    sums = window_sums(borders.pad(image, radius_x, radius_y, border), radius_x, radius_y)
    height, width = image.shape[:2]
    count = np.array((2 * radius_x + 1) * (2 * radius_y + 1))
    return sums[radius_y:radius_y + height, radius_x:radius_x + width], count


def box_counted(suite: Suite) -> None:
    """Integers: the quotient of whole numbers, rounded half up or cut off. Bit for bit."""
    for name in ("u8x1", "u8x3", "u16x1", "u16x3"):
        picture = suite.pictures[name]
        whole = picture.pixels.astype(np.int64)
        for border in (*borders.ALL, "shrink"):
            for radius_x, radius_y in ((1, 1), (2, 7), (16, 16), (70, 0)):
                sums, count = padded_sums(whole, radius_x, radius_y, border)
                graph = f"box={radius_x}:{radius_y}:border={border}"
                suite.same(graph, "numpy, whole numbers", picture, (2 * sums + count) // (2 * count))
                suite.same(graph + ":rounding=down", "numpy, whole numbers", picture, sums // count)


def box_peers(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3", "f32x4"):
        picture = suite.pictures[name]
        for radius in (1, 3, 12, 40):
            size = 2 * radius + 1
            for border in ("replicate", "mirror", "symmetric", "constant") if name == "f32x3" else ("mirror",):
                expected = cv2.boxFilter(picture.flat, -1, (size, size), borderType=borders.OPENCV[border])
                graph = f"box={radius}:border={border}"
                if picture.type == "f32":
                    suite.real(graph, "cv2 boxFilter", picture, expected, BOX)
                else:
                    # Against whole numbers, above, weft is exact.
                    suite.same(graph, "cv2 boxFilter", picture, expected, picture.type == "u16",
                               "cv2's u16 sums pass 2^24 and lose a bit in f32" if picture.type == "u16" else EXACT)
    picture = suite.pictures["f32x3"]
    for border in borders.ALL:
        for radius in (1, 9, 200):
            size = 2 * radius + 1
            expected = ndimage.uniform_filter(picture.real, (size, size, 1), mode=borders.SCIPY[border])
            suite.real(f"box={radius}:border={border}", "scipy uniform_filter", picture, expected, BOX)
    for radius in (4, 350):
        sums, count = padded_sums(picture.real, radius, radius, "shrink")
        suite.real(f"box={radius}:border=shrink", "numpy, counted", picture, sums / count, BOX)


def box_alpha(suite: Suite) -> None:
    for name in ("u8x4", "u16x4"):
        picture = suite.pictures[name]
        for radius in (2, 20):
            size = 2 * radius + 1
            mean = ndimage.uniform_filter(premultiplied(picture.real), (size, size, 1), mode="mirror")
            mean[np.abs(mean) < 1e-12] = 0  # SciPy's running sums leave 1e-17 where there is nothing
            expected = straight(mean)
            certain = np.concatenate([np.repeat(expected[:, :, 3:] > 0.01, 3, axis=2),
                                      np.ones_like(expected[:, :, 3:], bool)], axis=2)
            suite.real(f"box={radius}", "scipy premultiplied", picture, expected, 100 * BOX,
                       "alpha from 0.01 divides weft's 1e-6", certain)


def channel_sum(image: np.ndarray) -> np.ndarray:
    """The color that bilateral_levels compares."""
    return np.clip(image, 0, 1).sum(axis=2, keepdims=True)


def bilateral_model(image: np.ndarray, sigma_space: float, sigma_color: float, radius: int, border: str,
                    value: float = 0, compared=lambda image: image) -> np.ndarray:
    """The definition, offset by offset, in double precision; `compared` is what of the pixels is."""
    height, width = image.shape[:2]
    around = borders.pad(image - value, radius, radius, "replicate" if border == "shrink" else border) + value
    center, others = compared(image), compared(around)
    inside = np.pad(np.ones((height, width, 1)), ((radius,) * 2, (radius,) * 2, (0, 0)),
                    constant_values=0.0 if border == "shrink" else 1.0)
    total, weights = np.zeros_like(image), np.zeros((height, width, 1))
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if dx * dx + dy * dy > radius * radius:
                continue
            part = np.s_[radius + dy:radius + dy + height, radius + dx:radius + dx + width]
            distance = np.abs(others[part] - center).sum(axis=2, keepdims=True)
            weight = inside[part] * np.exp(-0.5 * ((dx * dx + dy * dy) / sigma_space**2 + (distance / sigma_color)**2))
            total += weight * around[part]
            weights += weight
    return total / weights


def bilateral(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        for space, color, radius in ((2, 0.1, 3), (5, 0.05, 7)):
            expected = bilateral_model(picture.real, space, color, radius, "mirror")
            suite.real(f"bilateral={space}:{color}:{radius}", "numpy, the definition", picture, expected, 1e-5,
                       "weft promises 1e-5: its exp in f32")
    picture = suite.pictures["f32x3"]
    for border in (*borders.ALL, "shrink"):
        expected = bilateral_model(picture.real, 3, 0.2, 4, border)
        suite.real(f"bilateral=3:0.2:border={border}:radius=4", "numpy, the definition", picture, expected, 1e-5,
                   "weft promises 1e-5: its exp in f32")


def levels(suite: Suite) -> None:
    """By its definition, a window of 4.5 sigmas: what levels and their blurs leave out does not show in 8 bits."""
    reason = "weft promises 1e-4: levels, and gaussians cut and interpolated"
    small = {name: suite.picture(f"levels_{name}", np.ascontiguousarray(picture.pixels[110:154, 150:211]), picture.alpha)
             for name, picture in suite.pictures.items()}
    for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3", "f32x4"):
        for space, color in ((2, 0.1), (5, 0.2), (6, 0.05), (4, 1.5)):
            expected = bilateral_model(small[name].real, space, color, int(4.5 * space) + 1, "mirror", 0, channel_sum)
            suite.real(f"bilateral_levels={space}:{color}", "numpy, the definition", small[name], expected, 1e-4, reason)
    for name in ("u8x4", "u16x4"):
        model = bilateral_model(premultiplied(small[name].real), 4, 0.3, 19, "mirror", 0, channel_sum)
        expected = straight(model)
        certain = np.concatenate([np.repeat(expected[:, :, 3:] > 0.02, 3, axis=2),
                                  np.ones_like(expected[:, :, 3:], bool)], axis=2)
        suite.real("bilateral_levels=4:0.3", "numpy premultiplied", small[name], expected, 5e-3,
                   "alpha from 0.02 divides weft's 1e-4", certain)
    for name in ("f32x1", "f32x4"):
        for border in (*borders.ALL, "shrink"):
            expected = bilateral_model(small[name].real, 4, 0.3, 19, border, 0, channel_sum)
            suite.real(f"bilateral_levels=4:0.3:{border}", "numpy, the definition", small[name], expected, 1e-4, reason)
        for value in (0.4, -0.3, 1.2):
            expected = bilateral_model(small[name].real, 4, 0.3, 19, "constant", value, channel_sum)
            suite.real(f"bilateral_levels=4:0.3:constant:{value}", "numpy, the definition", small[name], expected, 1e-4,
                       reason)


def bilateral_opencv(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        scale = FULL_SCALE[picture.type]
        for space, color, radius in ((1, 0.3, 1), (3, 0.1, 4), (6, 0.2, 9)):
            expected = cv2.bilateralFilter(picture.flat, 2 * radius + 1, color * scale, space,
                                           borderType=cv2.BORDER_REFLECT_101)
            graph = f"bilateral={space}:{color}:{radius}"
            if picture.type == "f32":
                suite.real(graph, "cv2 bilateralFilter", picture, expected, 1e-5,
                           "weft promises 1e-5; cv2 interpolates its exp")
            else:
                suite.same(graph, "cv2 bilateralFilter", picture, expected, 1, "near halves one rounds up, one down")


def compare(suite: Suite) -> None:
    for part in (box_counted, box_peers, box_alpha, bilateral, levels, bilateral_opencv):
        part(suite)
