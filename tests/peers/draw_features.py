# SPDX-License-Identifier: MIT
"""Random parameters for corners, texture and edges: OpenCV's FAST, SciPy, and formulas in double precision."""

import cv2
import numpy as np
from scipy import ndimage

import borders
import effects
from colors import luminance
from draws import COLORS, RGB, Case, Draw, Row
from pictures import Picture

GREY = ("u8x1", "u16x1", "f32x1")
ANY = ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3")
SMOOTH = 2e-5
SURE = 1e-5


def neighbors(plane: np.ndarray, border: str = "mirror") -> dict[tuple[int, int], np.ndarray]:
    """The plane moved, by (x, y)."""
    padded, (height, width) = np.pad(plane, 1, mode=borders.NUMPY[border]), plane.shape
    return {(x, y): padded[1 + y:1 + y + height, 1 + x:1 + x + width] for x in (-1, 0, 1) for y in (-1, 0, 1)}


# ---- corners

RING = ((0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3),
        (0, 3), (-1, 3), (-2, 2), (-3, 1), (-3, 0), (-3, -1), (-2, -2), (-1, -3))


def fast_score(draw: Draw, picture: Picture) -> Case:
    """The largest threshold that an arc exceeds: by trying every arc."""
    arc, threshold = draw.one((9, 12)), draw.number(0, 0.5)
    plane = np.floor(picture.real[:, :, 0] * 65535 + 0.5)
    height, width = plane.shape
    padded = np.pad(plane, 3, mode="reflect") if min(plane.shape) > 3 else np.pad(plane, 3, mode="edge")
    border = "mirror" if min(plane.shape) > 3 else "replicate"
    around = np.stack([padded[3 + y:3 + y + height, 3 + x:3 + x + width] - plane for x, y in RING])
    score = np.full(plane.shape, -np.inf)
    for start in range(16):
        chosen = around[[(start + k) % 16 for k in range(arc)]]
        score = np.maximum(score, np.maximum(chosen.min(axis=0), (-chosen).min(axis=0)))
    level = np.floor(np.float32(threshold) * 65535.0 + 0.5)
    expected = np.where(score > level, score, 0) / 65535
    return Case(f"fast_score={threshold:g}:{arc}:{border}", expected[:, :, None], SMOOTH)


def fast_corner(draw: Draw, picture: Picture) -> Case:
    steps, suppress = draw.whole(1, 120), draw.chance(0.5)
    detector = cv2.FastFeatureDetector.create(steps, suppress)
    expected = np.zeros(picture.flat.shape)
    for point in detector.detect(picture.flat):
        expected[round(point.pt[1]), round(point.pt[0])] = (point.response + 1) / 255 if suppress else 1
    graph = f"fast_corner={steps / 255:.7f}:suppress={int(suppress)}:result={'value' if suppress else 'mask'}"
    return Case(graph, expected[:, :, None], 0)


def corner(name: str, measure, k: bool = False) -> Row:
    """Of gradients over 4 and the mean of their products over a window, in double precision."""
    def make(draw: Draw, picture: Picture) -> Case:
        border, radius, sharpness = draw.one(borders.ALL), draw.whole(1, 5), draw.number(0, 0.25)
        sigma, wide, mode = draw.number(0.5, 4), draw.chance(0.5), borders.SCIPY[border]
        plane = luminance(picture.real)
        x, y = (ndimage.sobel(plane, axis, mode=mode) / 4 for axis in (1, 0))
        # Outside of a product is the product's border: a constant is 0 there, too.
        mean = ((lambda v: ndimage.gaussian_filter(v, sigma, mode=mode, truncate=7)) if wide
                else (lambda v: ndimage.uniform_filter(v, 2 * radius + 1, mode=mode)))
        expected = measure(mean(x * x), mean(y * y), mean(x * y), sharpness)
        graph = f"{name}={'sigma' if wide else 'radius'}={sigma if wide else radius:g}:border={border}:result=response"
        sure = True if name != "noble" else (mean(x * x) + mean(y * y) > 1e-3)[:, :, None]
        return Case(graph + (f":k={sharpness:g}" if k else ""), expected[:, :, None], 4e-5, sure)
    return Row(name, "scipy, the formula", make, ("f32x1", "f32x3"))


def harris(a, b, c, k):
    return a * b - c * c - k * (a + b) ** 2


def shi_tomasi(a, b, c, k):
    return 0.5 * (a + b - np.hypot(a - b, 2 * c))


def noble(a, b, c, k):
    return np.divide(a * b - c * c, a + b, out=np.zeros_like(a), where=a + b > 1e-12)


def maxima(draw: Draw, picture: Picture, border: str = "") -> tuple[int, float, str, str, np.ndarray]:
    """Pixels come column by column: of equal ones the first is the maximum, all are, or none is."""
    radius, threshold = draw.whole(1, 3), draw.number(0, 1)
    ties, result = draw.one(("one", "none", "all")), draw.one(("value", "mask"))
    real, kept = picture.real, []
    for k in range(real.shape[2]):
        plane = real[:, :, k]
        padded, good = np.pad(plane, radius, constant_values=-np.inf), plane >= threshold
        if border:
            padded = borders.pad(plane, radius, radius, border)
        for x in range(-radius, radius + 1):
            for y in range(-radius, radius + 1):
                other = padded[radius + y:radius + y + plane.shape[0], radius + x:radius + x + plane.shape[1]]
                before = (x, y) < (0, 0)
                strict = ties == "none" or (ties == "one" and before)
                if (x, y) != (0, 0):
                    good = good & (plane > other if strict else plane >= other)
        kept.append(np.where(good, plane if result == "value" else 1, 0))
    return radius, threshold, ties, result, np.stack(kept, axis=2)


def nms(draw: Draw, picture: Picture) -> Case:
    radius, threshold, ties, result, expected = maxima(draw, picture)
    sure = np.abs(picture.real - threshold) > SURE
    return Case(f"nms={radius}:{threshold:g}:{ties}:{result}", expected, 0, sure)


def threshold_nms(draw: Draw, picture: Picture) -> Case:
    radius, threshold, plane = draw.whole(1, 3), draw.number(0.01, 1), picture.real[:, :, 0]
    largest = ndimage.maximum_filter(plane, 2 * radius + 1, mode="nearest")
    second = ndimage.rank_filter(plane, -2, 2 * radius + 1, mode="constant", cval=-1)
    sure = (np.abs(plane - threshold) > SURE) & ((plane < largest) | (second < plane - SURE))
    return Case(f"threshold_nms={threshold:g}:{radius}", ((plane == largest) & (plane >= threshold))[:, :, None] * 1.0,
                0, sure[:, :, None])


# ---- texture

def codes(draw: Draw, plane: np.ndarray, circle: bool, code: str, border: str) -> tuple[np.ndarray, np.ndarray]:
    """Codes of 8 neighbors, counterclockwise from the right one, in whole steps; and where their bits are sure."""
    steps = np.floor(plane * 65535 + 0.5)
    near = {place: moved - steps for place, moved in neighbors(steps, border).items()}
    share, bits, sure = np.sqrt(0.5), [], np.ones(plane.shape, bool)
    for x, y in ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)):
        value = near[x, y]
        if circle and x and y:
            value = share * (1 - share) * (near[x, 0] + near[0, y]) + share**2 * near[x, y]
            sure &= (np.abs(value) > 0.1) | ((near[x, 0] == 0) & (near[0, y] == 0) & (near[x, y] == 0))
        bits.append(value >= 0)
    bits = np.array(bits)
    weights = 1 << np.arange(8)
    turns = np.stack([np.tensordot(weights, np.roll(bits, -k, axis=0), 1) for k in range(8)])
    changes = (bits != np.roll(bits, 1, axis=0)).sum(axis=0)
    made = {"right": turns[0], "upper_right": turns[1], "smallest": turns.min(axis=0),
            "uniform": np.where(changes <= 2, bits.sum(axis=0), 9)}[code]
    return made / 255, sure


def pattern(name: str, formats, planes) -> Row:
    def make(draw: Draw, picture: Picture) -> Case:
        shape, border = draw.one(("square", "circle")), draw.one(borders.ALL)
        code = draw.one(("upper_right", "right", "smallest", "uniform"))
        made = [codes(draw, plane, shape == "circle", code, border) for plane in planes(picture)]
        return Case(f"{name}={shape}:{code}:{border}", np.stack([m for m, _ in made], axis=2), SMOOTH,
                    np.stack([s for _, s in made], axis=2))
    return Row(name, "the definition", make, formats)


# ---- edges

def threshold(name: str, inverted: bool) -> Row:
    def make(draw: Draw, picture: Picture) -> Case:
        level, strength, border = draw.number(0.01, 1), draw.number(0.1, 2), draw.one(borders.ALL)
        plane, mode = luminance(picture.real), borders.SCIPY[border]
        length = strength * np.hypot(*(ndimage.sobel(plane, axis, mode=mode) for axis in (0, 1)))
        sure = np.abs(length - level) > 2e-5 * (1 + strength)
        expected = (length >= level) != inverted
        return Case(f"{name}=threshold={level:g}:edge_strength={strength:g}:border={border}",
                    expected[:, :, None] * 1.0, 0, sure[:, :, None])
    return Row(name, "scipy sobel", make, ANY)


def sketch(draw: Draw, picture: Picture) -> Case:
    strength, border = draw.number(0.1, 2), draw.one(borders.ALL)
    plane, mode = luminance(picture.real), borders.SCIPY[border]
    length = strength * np.hypot(*(ndimage.sobel(plane, axis, mode=mode) for axis in (0, 1)))
    return Case(f"sketch={strength:g}:border={border}", 1 - length[:, :, None], SMOOTH)


def toon(draw: Draw, picture: Picture) -> Case:
    level, count, border = draw.number(0.05, 2), draw.whole(1, 40), draw.one(borders.ALL)
    plane, mode = luminance(picture.real), borders.SCIPY[border]
    length = np.hypot(*(ndimage.sobel(plane, axis, mode=mode) for axis in (0, 1)))
    steps = picture.real * count
    sure = (np.abs(length - level) > 4e-5)[:, :, None] & (np.abs(steps % 1 - 0.5) > 1e-4 * count)
    return Case(f"toon={level:g}:{count}:border={border}",
                np.where(length[:, :, None] < level, np.floor(steps + 0.5) / count, 0), SMOOTH, sure)


def structure_products(draw: Draw, picture: Picture) -> Case:
    operator, border, strength = draw.one(("sobel", "prewitt", "scharr")), draw.one(borders.ALL), draw.number(0.1, 1)
    along = {"sobel": [1, 2, 1], "prewitt": [1, 1, 1], "scharr": [3, 10, 3]}[operator]
    plane, weights = luminance(picture.real), np.outer(along, [-1, 0, 1])
    x, y = (strength * ndimage.correlate(plane, kernel, mode=borders.SCIPY[border]) for kernel in (weights, weights.T))
    size = (strength * sum(along)) ** 2
    return Case(f"structure_products={operator}:{strength:g}:border={border}", np.dstack([x * x, y * y, x * y]),
                8e-6 * max(1, size))


def directional_sobel(draw: Draw, picture: Picture) -> Case:
    strength, plane = draw.number(0.1, 1), luminance(picture.real)
    y, x = (ndimage.sobel(plane, axis, mode="mirror") for axis in (0, 1))
    length = np.hypot(x, y)
    sine, long = np.sin(np.pi / 8), np.where(length > 0, length, 1)
    ways = [(np.sign(v) * (np.abs(v) / long > sine) + 1) / 2 for v in (x, y)]
    sure = (length > 1e-3) & (np.abs(np.abs(x) / long - sine) > 1e-3) & (np.abs(np.abs(y) / long - sine) > 1e-3)
    return Case(f"directional_sobel={strength:g}", np.dstack([strength * length, *ways]), SMOOTH,
                np.dstack([np.ones(sure.shape, bool), sure, sure]))


def weak_pixels(draw: Draw, picture: Picture) -> Case:
    plane = luminance(picture.real)
    total = sum(neighbors(plane).values()) if min(plane.shape) > 1 else 9 * plane
    sure = (np.abs(plane - 0.01) > SURE) & (np.abs(total - 1.5) > 1e-4)
    if min(plane.shape) == 1:
        total = ndimage.convolve(plane, np.ones((3, 3)), mode="mirror")
    return Case("weak_pixel_inclusion", ((plane >= 0.01) & (total >= 1.5))[:, :, None] * 1.0, 0, sure[:, :, None])


def adaptive_threshold(draw: Draw, picture: Picture) -> Case:
    radius, steps = draw.whole(1, 20), draw.whole(-40, 40)
    expected = cv2.adaptiveThreshold(picture.flat, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 2 * radius + 1, steps)
    return Case(f"adaptive_threshold={radius}:{steps / 255:.7f}:box:replicate", expected[:, :, None] / 255, 0)


def clear_margin(draw: Draw, picture: Picture) -> Case:
    margin, expected = draw.whole(0, 12), picture.real.copy()
    inside = np.zeros(expected.shape[:2], bool)
    inside[margin:max(expected.shape[0] - margin, 0), margin:max(expected.shape[1] - margin, 0)] = True
    return Case(f"clear_margin={margin}", np.where(inside[:, :, None], expected, 0), 0)


def luminance_steps(draw: Draw, picture: Picture) -> Case:
    """By whole numbers: each channel in steps first."""
    count = draw.whole(1, 65535)
    steps = np.floor(picture.real * count + 0.5).astype(int)
    weighed = (steps @ [2125, 7154, 721] + 5000) // 10000 if steps.shape[2] == 3 else steps[:, :, 0]
    half = np.abs(picture.real * count % 1 - 0.5) < 1e-2
    return Case(f"luminance_steps={count}", (weighed / count)[:, :, None], 1e-6, ~half.any(axis=2, keepdims=True))


ROWS = [
    Row("luminance_steps", "numpy, whole numbers", luminance_steps, ANY),
    Row("fast_score", "the definition", fast_score, GREY),
    Row("fast_corner", "cv2 FAST", fast_corner, ("u8x1",), least=7),
    corner("harris", harris, True),
    corner("shi_tomasi", shi_tomasi),
    corner("noble", noble),
    Row("nms", "the definition", nms, ("u8x1", "u8x3", "f32x1")),
    Row("threshold_nms", "scipy maximum_filter", threshold_nms, ("u8x1", "f32x1")),
    pattern("local_binary_pattern", GREY, lambda picture: [picture.real[:, :, 0]]),
    pattern("color_local_binary_pattern", COLORS, lambda picture: np.moveaxis(picture.real, 2, 0)),
    threshold("threshold_edge", False),
    threshold("threshold_sketch", True),
    Row("sketch", "scipy sobel", sketch, ANY, steps=0.05),
    Row("toon", "scipy sobel", toon, COLORS),
    Row("structure_products", "scipy correlate", structure_products, ("f32x1", "f32x3")),
    Row("directional_sobel", "scipy sobel", directional_sobel, ANY, least=2),
    Row("weak_pixel_inclusion", "the definition", weak_pixels, ANY),
    Row("adaptive_threshold", "cv2 adaptiveThreshold", adaptive_threshold, ("u8x1",)),
    Row("clear_margin", "numpy", clear_margin),
]
