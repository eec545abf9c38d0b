# SPDX-License-Identifier: MIT
"""Random parameters for geometry, tone, convolutions and measures: SciPy, OpenCV, scikit-image, formulas."""

import fractions
import math

import cv2
import numpy as np
from scipy import ndimage
from skimage import metrics

import borders
from colors import luminance
from draws import RGB, Case, Draw, Row
from pictures import Picture

NUMBERS = 4e-6
PLACE = 1e-4  # neighbors differ by full scale, and a place may be off by a ten thousandth of a pixel
GREY = ("u8x1",)
PLANES = ("f32x1", "f32x3")


def moved(real: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bilinear, with the edge pixel beyond the border."""
    planes = [ndimage.map_coordinates(real[:, :, k], [y, x], order=1, mode="nearest") for k in range(real.shape[2])]
    return np.stack(planes, axis=2)


def places(matrix: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    w = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    return ((matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / w,
            (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / w)




def mixed(real: np.ndarray, x: np.ndarray, y: np.ndarray, way: str) -> np.ndarray:
    """By Keys' cubic with a = -0.5 or Lanczos' window of 6 pixels along each axis, as written, divided by the sum of weights."""
    reach, weigh = (2, keys) if way == "bicubic" else (3, lambda d: np.where(np.abs(d) < 3, np.sinc(d) * np.sinc(d / 3), 0))
    height, width = real.shape[:2]
    sums, weights = np.zeros((*x.shape, real.shape[2])), np.zeros((*x.shape, 1))
    for j in range(1 - reach, reach + 1):
        for i in range(1 - reach, reach + 1):
            column, row = np.floor(x) + i, np.floor(y) + j
            weight = (weigh(x - column) * weigh(y - row))[:, :, None]
            sums += weight * real[np.clip(row, 0, height - 1).astype(int), np.clip(column, 0, width - 1).astype(int)]
            weights += weight
    return sums / weights


def keys(d: np.ndarray) -> np.ndarray:
    t = np.abs(d)
    return np.where(t < 1, (1.5 * t - 2.5) * t * t + 1, np.where(t < 2, ((-0.5 * t + 2.5) * t - 4) * t + 2, 0))


def affine(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    angle, scale = draw.number(-3, 3), draw.number(0.3, 0.95)  # of places: shrinking would be a mean over several
    cosine, sine = scale * np.cos(angle), scale * np.sin(angle)
    numbers = [cosine, -sine, draw.number(-9, 9), sine, cosine, draw.number(-9, 9)]
    numbers = [float(f"{value:.6g}") for value in numbers]
    x, y = places(np.array([*numbers, 0, 0, 1]).reshape(3, 3), width, height)
    way = draw.one(("bilinear", "bicubic", "lanczos3"))
    expected = moved(picture.real, x, y) if way == "bilinear" else mixed(picture.real, x, y, way)
    return Case(f"affine={precisely(numbers)}:1:method={way}:border=replicate", expected, 2 * PLACE)


def precisely(values) -> str:
    return "|".join(f"{value:.9g}" for value in values)


def perspective(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    inward = np.array(draw.numbers(8, 0, 0.2)).reshape(4, 2) * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]) + inward * [width, height]
    corners = np.round(corners, 3)
    wide, high = int(width * 2.5) + 2, int(height * 2.5) + 2
    target = np.array([[0, 0], [wide - 1, 0], [wide - 1, high - 1], [0, high - 1]], np.float64)
    rows = []
    for (u, v), (x, y) in zip(target, corners):
        rows += [[u, v, 1, 0, 0, 0, -u * x, -v * x, x], [0, 0, 0, u, v, 1, -u * y, -v * y, y]]
    system = np.array(rows)
    matrix = np.append(np.linalg.solve(system[:, :8], system[:, 8]), 1).reshape(3, 3)
    x, y = places(matrix, wide, high)
    graph = f"perspective={precisely(corners.ravel())}:width={wide}:height={high}:border=replicate"
    return Case(graph, moved(picture.real, x, y), 2 * PLACE)


def rotate(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    angle = draw.number(-180, 180)
    matrix = np.vstack([cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle, 1), [0, 0, 1]])
    x, y = places(np.linalg.inv(matrix), width, height)
    padded = np.pad(picture.real, ((2, 2), (2, 2), (0, 0)))
    return Case(f"rotate={angle:g}:same", moved(padded, x + 2, y + 2), PLACE)


def undistort(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    focal = [draw.number(width, 3 * width), draw.number(height, 3 * height)]
    center = [draw.number(0.3 * width, 0.7 * width), draw.number(0.3 * height, 0.7 * height)]
    k1, k2, p1, p2, k3 = (draw.number(-limit, limit) for limit in (0.3, 0.2, 0.02, 0.02, 0.1))
    x, y = np.meshgrid((np.arange(width) - center[0]) / focal[0], (np.arange(height) - center[1]) / focal[1])
    r2 = x * x + y * y
    bend = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
    from_x = (x * bend + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) * focal[0] + center[0]
    from_y = (y * bend + 2 * p2 * x * y + p1 * (r2 + 2 * y * y)) * focal[1] + center[1]
    numbers = ":".join(f"{value:g}" for value in (*focal, *center, k1, k2, p1, p2, k3))
    return Case(f"undistort={numbers}:border=replicate", moved(picture.real, from_x, from_y), PLACE)


def roberts(draw: Draw, picture: Picture) -> Case:
    grey = np.pad(luminance(picture.real), ((0, 1), (0, 1)), mode="edge")
    falling, rising = grey[:-1, :-1] - grey[1:, 1:], grey[:-1, 1:] - grey[1:, :-1]
    return Case("roberts=border=replicate", np.hypot(falling, rising), NUMBERS)


def convolve(draw: Draw, picture: Picture) -> Case:
    rows, columns, border = 2 * draw.whole(0, 7) + 1, 2 * draw.whole(0, 7) + 1, draw.one(borders.ALL)
    matrix = np.array(draw.numbers(rows * columns, -1, 1)).reshape(rows, columns)
    matrix = np.round(matrix / np.abs(matrix).sum(), 6)
    expected = ndimage.correlate(picture.real, matrix[:, :, None], mode=borders.SCIPY[border])
    return Case(f"convolve={precisely(matrix.ravel())}:{columns}:border={border}", expected, 1e-5)


def equalize(draw: Draw, picture: Picture) -> Case:
    levels = picture.pixels[:, :, 0]
    counts = np.bincount(levels.ravel(), minlength=256)
    first = np.flatnonzero(counts)[0]
    rest = levels.size - counts[first]
    table = (np.cumsum(counts) - counts[first]) / rest if rest else np.arange(256) / 255
    return Case("equalize_histogram", table[levels], 1e-4)


def auto_levels(draw: Draw, picture: Picture) -> Case:
    """What is clipped is a whole number of pixels of each channel, by the decimal fraction as it is written."""
    share, channels = draw.one(("0", "0.005", "0.01", "0.02", "0.05", f"{draw.number(0, 0.4):.4f}")), draw.one(("together", "each"))
    steps, bins = (255, 256) if picture.pixels.dtype == np.uint8 else (65535, 4096)
    levels = np.sort(np.minimum(picture.pixels.astype(int) * bins // steps, bins - 1).reshape(-1, picture.pixels.shape[2]), axis=0)
    clipped = math.floor(fractions.Fraction(share) * len(levels))
    low, high = levels[clipped] / (bins - 1), levels[len(levels) - 1 - clipped] / (bins - 1)
    if channels == "together":
        low, high = np.full_like(low, low.min()), np.full_like(high, high.max())
    width = np.where(high > low, high - low, 1)
    stretched = np.where(high > low, np.clip((picture.real - low) / width, 0, 1), picture.real)
    return Case(f"auto_levels={share}:{channels}", stretched, 2e-5)


def inside_mean(plane: np.ndarray, radius: int) -> np.ndarray:
    size, padded = 2 * radius + 1, lambda of: np.pad(of, radius)
    total = lambda of: ndimage.uniform_filter(padded(of), size, mode="constant")[radius:-radius, radius:-radius]
    return total(plane) / total(np.ones_like(plane))


def fitted(plane: np.ndarray, light: np.ndarray, radius: int, eps: float) -> np.ndarray:
    """The guided filter: means of the lines of the guide that are fitted to the plane in windows."""
    mean = lambda of: inside_mean(of, radius)
    slope = (mean(light * plane) - mean(light) * mean(plane)) / (mean(light**2) - mean(light)**2 + eps)
    return mean(slope) * light + mean(mean(plane) - slope * mean(light))


def guided_filter(draw: Draw, image: Picture, guide: Picture) -> Case:
    radius, eps, by = draw.whole(1, 9), draw.number(1e-3, 0.2), draw.one(("grey", "color"))
    if by == "color" and guide.real.shape[2] == 3:
        made = guided_by_colors(image.real, guide.real, lambda plane: inside_mean(plane, radius), eps)
        return Case(f"[0][1]guided_filter={radius}:{eps:g}:color", made, 1e-3)
    light = luminance(guide.real)
    planes = [fitted(image.real[:, :, k], light, radius, eps) for k in range(image.real.shape[2])]
    return Case(f"[0][1]guided_filter={radius}:{eps:g}:{by}", np.stack(planes, axis=2), 5e-4)


def guided_by_colors(image: np.ndarray, guide: np.ndarray, mean, eps: float) -> np.ndarray:
    """He's equations 19 and 20: a = (S + eps U)^-1 cov(I, p), b = mean(p) - a mean(I)."""
    colors = [guide[:, :, k] for k in range(3)]
    means = np.stack([mean(plane) for plane in colors], axis=2)
    spread = np.stack([np.stack([mean(u * v) - mean(u) * mean(v) for u in colors], axis=2) for v in colors], axis=3)
    planes = []
    for k in range(image.shape[2]):
        plane = image[:, :, k]
        shared = np.stack([mean(u * plane) - mean(u) * mean(plane) for u in colors], axis=2)
        slopes = np.linalg.solve(spread + eps * np.eye(3), shared[:, :, :, None])[:, :, :, 0]
        rest = mean(plane) - (slopes * means).sum(axis=2)
        planes.append(sum(mean(slopes[:, :, c]) * colors[c] for c in range(3)) + mean(rest))
    return np.stack(planes, axis=2)


def compare(draw: Draw, a: Picture, b: Picture) -> Case:
    measure = draw.one(("mse", "mae", "max", "ssim"))
    difference = a.real - b.real
    if measure == "ssim":
        value = metrics.structural_similarity(a.real, b.real, channel_axis=2, data_range=1, gaussian_weights=True,
                                              sigma=1.5, use_sample_covariance=False)
    else:
        value = {"mse": np.mean(difference**2), "mae": np.mean(np.abs(difference)),
                 "max": np.abs(difference).max()}[measure]
    return Case(f"[0][1]compare={measure}", np.array([[[value]]]), 1e-4)


def tonemap(draw: Draw, picture: Picture) -> Case:
    exposure, white, curve = draw.number(-2, 4), draw.number(1, 20), draw.one(("reinhard", "hable", "aces", "clip"))
    light = picture.real * 2.0**exposure
    grey = luminance(light)[:, :, None]
    hable = lambda x: (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3
    made = {"reinhard": light * (1 + grey / white**2) / (1 + grey), "hable": hable(light) / hable(white),
            "aces": light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), "clip": light}[curve]
    return Case(f"tonemap={curve}:{exposure:g}:{white:g}", np.clip(made, 0, 1), 3e-5)


ROWS = [
    Row("affine", "scipy map_coordinates, formulas", affine, PLANES, least=4),
    Row("perspective", "scipy map_coordinates", perspective, PLANES, least=8),
    Row("rotate", "scipy map_coordinates", rotate, PLANES, least=4),
    Row("undistort", "scipy map_coordinates", undistort, PLANES, least=4),
    Row("roberts", "formula", roberts, steps=0.1),
    Row("convolve", "scipy correlate", convolve, PLANES),
    Row("equalize_histogram", "formula of equalizeHist", equalize, GREY),
    Row("auto_levels", "formula", auto_levels, ("u8x1", "u8x3", "u16x1", "u16x3")),
    Row("guided_filter", "formula", guided_filter, ("f32x1", "f32x3"), inputs=2),
    Row("compare", "skimage metrics", compare, RGB, inputs=2, least=11),
    Row("tonemap", "formula", tonemap, RGB),
]
