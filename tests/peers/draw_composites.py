# SPDX-License-Identifier: MIT
"""Random parameters for local tone, maps, shapes, drawings and blends: OpenCV, scikit-image, SciPy, formulas."""

import cv2
import numpy as np
from scipy import ndimage, sparse
import scipy.sparse.linalg
from skimage import color, exposure, restoration

from draw_catalogue import GREY, PLANES, precisely
from draws import RGB, Case, Draw, Row
from pictures import Picture


def clahe(draw: Draw, picture: Picture) -> Case:
    clip, across, down = draw.number(0, 40), draw.whole(1, 8), draw.whole(1, 8)
    expected = cv2.createCLAHE(clip, (across, down)).apply(picture.pixels[:, :, 0])
    return Case(f"clahe={clip:g}:{across}:{down}", expected / 255, 1.01 / 255)  # OpenCV rounds halves of f32 sums


def match_histogram(draw: Draw, picture: Picture, like: Picture) -> Case:
    expected = exposure.match_histograms(picture.pixels.astype(float), like.pixels.astype(float), channel_axis=2)
    return Case("[0][1]match_histogram", expected / 255, 2e-4)


def remap(draw: Draw, picture: Picture, other: Picture) -> Case:
    """The map is the second picture's red and green, stretched beyond the first one's sides."""
    height, width = picture.real.shape[:2]
    way = draw.one(("nearest", "bilinear", "bicubic"))
    border = draw.one(("replicate", "mirror", "symmetric", "wrap", "constant"))
    spread = draw.number(0.2, 2) * width
    x, y = other.pixels[:, :, 0].astype(np.float64) * spread, other.pixels[:, :, 1].astype(np.float64) * spread
    at = lambda u, v: picked(picture.real, u, v, border)
    left, top = np.floor(x), np.floor(y)
    u, v = (x - left)[:, :, None], (y - top)[:, :, None]
    if way == "nearest":
        expected = at(np.floor(x + 0.5), np.floor(y + 0.5))
    else:
        weigh = (lambda d: np.maximum(1 - np.abs(d), 0)) if way == "bilinear" else keys
        expected = sum(at(left + i, top + j) * weigh(u - i) * weigh(v - j) for i in range(-1, 3) for j in range(-1, 3))
    gain = f"{spread:.9g}"
    graph = (f"[1]exposure=0,color_matrix={gain}|0|0|0|0|{gain}|0|0|0|0|1|0|0|0|0|1[m];"
             f"[0][m]remap={way}:{border}")
    near = (np.abs(x % 1 - 0.5) < 1e-3) | (np.abs(y % 1 - 0.5) < 1e-3) if way == "nearest" else np.zeros(x.shape, bool)
    return Case(graph, expected, 2e-3, ~near[:, :, None])


def keys(d: np.ndarray) -> np.ndarray:
    t = np.abs(d)
    near, far = 1.25 * t**3 - 2.25 * t**2 + 1, -0.75 * t**3 + 3.75 * t**2 - 6 * t + 3
    return np.where(t < 1, near, np.where(t < 2, far, 0))


def picked(real: np.ndarray, x: np.ndarray, y: np.ndarray, border: str) -> np.ndarray:
    """By indices of a padded picture."""
    height, width = real.shape[:2]
    modes = {"replicate": "edge", "mirror": "reflect", "symmetric": "symmetric", "wrap": "wrap", "constant": "constant"}
    columns = np.pad(np.arange(width), 1024, mode=modes[border], **({"constant_values": -1} if border == "constant" else {}))
    rows = np.pad(np.arange(height), 1024, mode=modes[border], **({"constant_values": -1} if border == "constant" else {}))
    i, j = columns[x.astype(int) + 1024], rows[y.astype(int) + 1024]
    return np.where(((i < 0) | (j < 0))[:, :, None], 0, real[j, i])


def kuwahara(draw: Draw, picture: Picture) -> Case:
    radius, real = draw.whole(1, 16), picture.real
    padded = np.pad(real, ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (radius + 1, radius + 1), (0, 1))
    mean, square = windows.mean(axis=(-2, -1)), (windows**2).mean(axis=(-2, -1))
    spread = np.abs(square - mean**2).sum(axis=2)
    height, width = real.shape[:2]
    corners = [(0, 0), (0, radius), (radius, radius), (radius, 0)]
    means = np.stack([mean[j:j + height, i:i + width] for j, i in corners])
    spreads = np.stack([spread[j:j + height, i:i + width] for j, i in corners])
    best = np.argmin(spreads, axis=0)
    order = np.sort(spreads, axis=0)
    sure = order[1] - order[0] > 1e-6  # else either may be chosen
    expected = np.take_along_axis(means, best[None, :, :, None], axis=0)[0]
    return Case(f"kuwahara={radius}:replicate", expected, 1e-5, sure[:, :, None])


def structure(draw: Draw, picture: Picture) -> Case:
    op, shape = draw.one(("dilate", "erode", "open", "close")), draw.one(("ellipse", "cross", "rectangle"))
    across, down = draw.whole(0, 7), draw.whole(1, 7)  # of an ellipse of one row OpenCV leaves one pixel
    shapes = {"ellipse": cv2.MORPH_ELLIPSE, "cross": cv2.MORPH_CROSS, "rectangle": cv2.MORPH_RECT}
    element = cv2.getStructuringElement(shapes[shape], (2 * across + 1, 2 * down + 1))
    ops = {"dilate": cv2.MORPH_DILATE, "erode": cv2.MORPH_ERODE, "open": cv2.MORPH_OPEN, "close": cv2.MORPH_CLOSE}
    expected = cv2.morphologyEx(picture.real, ops[op], element)
    return Case(f"structure={op}:{shape}:{across}:{down}:replicate", expected.reshape(picture.real.shape), 0)


def delta_e(draw: Draw, a: Picture, b: Picture) -> Case:
    labs = [color.rgb2lab(picture.real) for picture in (a, b)]
    # Of opposite hues the mean may be either of two, by the last bit.
    chroma = np.mean([np.hypot(lab[:, :, 1], lab[:, :, 2]) for lab in labs], axis=0) ** 7
    wide = 1.5 - 0.5 * np.sqrt(chroma / (chroma + 25.0**7))
    hues = [np.arctan2(lab[:, :, 2], wide * lab[:, :, 1]) for lab in labs]
    sure = np.abs(np.abs(hues[0] - hues[1]) - np.pi) > 1e-4
    return Case("[0][1]delta_e", color.deltaE_ciede2000(*labs), 2e-2, sure[:, :, None])


def distance(draw: Draw, picture: Picture) -> Case:
    seeds = np.floor(picture.real[:, :, 0] * 65535 + 0.5) / 65535 >= 0.75  # weft's luminance is in whole steps
    if not seeds.any():
        return Case("jfa_voronoi=distance:-1", np.zeros(seeds.shape), 0)
    # The exact distance may be less by more than a pixel: floods jump over what is between.
    return Case("jfa_voronoi=distance:0.75", flooded(seeds), 1e-4)


def flooded(seeds: np.ndarray) -> np.ndarray:
    """Jump flooding: pixels learn of nearer seeds from those 2^k away, k down to 0, and once more."""
    height, width = seeds.shape
    own = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=2).astype(float)
    nearest = np.where(seeds[:, :, None], own, np.inf)
    away = lambda to: ((to - own) ** 2).sum(axis=2)  # whole numbers, so that equal ones are equal
    steps = 2 ** np.arange(max(int(np.ceil(np.log2(max(height, width)))) - 1, 0), -1, -1)
    for step in [*steps, 1]:
        padded = np.pad(nearest, ((step, step), (step, step), (0, 0)), mode="edge")
        for y in (0, step, 2 * step):
            for x in (0, step, 2 * step):
                other = padded[y:y + height, x:x + width]
                nearest = np.where((away(other) < away(nearest))[:, :, None], other, nearest)
    return np.sqrt(away(nearest))


def draw_points(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    points, radius = np.array(draw.numbers(2 * draw.whole(1, 16), 0, 60)).reshape(-1, 2), draw.number(0, 9)
    y, x = np.mgrid[:height, :width]
    away = np.min([np.hypot(x - u, y - v) for u, v in points], axis=0)
    cover = 0.5 * np.clip(radius + 0.5 - away, 0, 1)[:, :, None]
    expected = picture.real * (1 - cover) + np.array([1, 0.5, 0]) * cover
    return Case(f"draw_points={precisely(points.ravel())}:{radius:g}:1|0.5|0|0.5:pixel", expected, 1e-4)


def lines(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    ends, thick = np.array(draw.numbers(4 * draw.whole(1, 8), 0, 60)).reshape(-1, 4), draw.number(1, 6)
    y, x = np.mgrid[:height, :width]
    away = np.full((height, width), np.inf)
    for u, v, w, z in ends:
        length = (w - u)**2 + (z - v)**2
        part = np.clip(((x - u) * (w - u) + (y - v) * (z - v)) / length, 0, 1) if length else 0
        away = np.minimum(away, np.hypot(x - u - part * (w - u), y - v - part * (z - v)))
    cover = np.clip(thick / 2 + 0.5 - away, 0, 1)[:, :, None]
    expected = picture.real * (1 - cover) + np.array([0, 1, 0]) * cover
    return Case(f"lines={precisely(ends.ravel())}:{thick:g}:0|1|0|1:pixel", expected, 1e-3)


def jacobi(draw: Draw, picture: Picture, over: Picture) -> Case:
    mix, sweeps = draw.number(0, 1), draw.whole(1, 30)
    def mean4(real):
        wide = np.pad(real, ((1, 1), (1, 1), (0, 0)), mode="edge")
        return (wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]) / 4
    colors, share = over.real[:, :, :3], over.real[:, :, 3:] * mix
    made, change = picture.real[:, :, :3], colors - mean4(colors)
    for _ in range(sweeps):
        made = made * (1 - share) + (mean4(made) + change) * share
    return Case(f"[0]alpha_remove[b];[b][1]poisson_blend=compat=gpuimage:mix={mix:g}:iterations={sweeps}", made, 1e-4)


def mask(draw: Draw, height: int, width: int) -> np.ndarray:
    """Holes, strokes, blobs, dots; all of the picture, or nothing."""
    kind, made = draw.whole(0, 5), np.ones((height, width))
    smooth = ndimage.gaussian_filter(draw.random.standard_normal((height, width)), draw.number(0.3, 12))
    if kind == 0:
        made = smooth > np.quantile(smooth, draw.number(0, 1))
    elif kind == 1:
        made = draw.random.random((height, width)) > draw.number(0, 0.2)
    elif kind == 2:
        made = np.abs(smooth) < np.quantile(np.abs(smooth), draw.number(0, 1))
    elif kind == 3:
        made[draw.whole(0, 9)::draw.whole(1, 20)] = 0
        made[:, draw.whole(0, 9)::draw.whole(1, 50)] = 1
    elif kind == 4:
        made[draw.whole(0, height):draw.whole(0, height), draw.whole(0, width):] = 0
        made = 1 - made if draw.chance(0.5) else made
    return made * (draw.random.random((height, width)) if draw.chance(0.4) else 1)


def poisson_blend(draw: Draw, picture: Picture, over: Picture) -> Case:
    """Poisson's equation with the sparse matrix of all pixels that are not known, solved directly."""
    height, width = picture.real.shape[:2]
    if picture.format == "f32x4" or picture.format == "u8x4":
        return jacobi(draw, picture, over)
    part = mask(draw, height, width).astype(np.float32)
    framed, mixed = draw.chance(0.3), draw.chance(0.5)
    wide = np.pad(part > 0, 1, mode="edge")
    near = [np.s_[1:-1, 2:], np.s_[1:-1, :-2], np.s_[2:, 1:-1], np.s_[:-2, 1:-1]]
    inside = np.logical_and.reduce([wide[at] for at in near]) & (part > 0)
    mixed = mixed and (framed or not inside.all())  # how bright all of the picture is then nobody says
    number = np.where(inside, np.cumsum(inside).reshape(inside.shape) - 1, -1)
    number = np.pad(number, 1, **({"constant_values": -1} if framed else {"mode": "edge"}))
    unknown, own = int(inside.sum()), number[1:-1, 1:-1][inside]
    rows, columns, weights = [own], [own], [np.full(unknown, 4.0)]
    for at in near:
        other = number[at][inside]
        rows.append(own[other >= 0]), columns.append(other[other >= 0]), weights.append(np.full(int((other >= 0).sum()), -1.0))
    made, largest = picture.real.copy(), 1.0
    if unknown and (framed or not inside.all()):
        matrix = sparse.csc_matrix((np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))))
        solve = sparse.linalg.factorized(matrix)
    else:
        solve = np.zeros_like
    outside = {"constant_values": 0.25} if framed else {"mode": "edge"}
    for k in range(picture.real.shape[2]):
        first, second = picture.real[:, :, k], over.real[:, :, k]
        b, s = np.pad(first, 1, **outside), np.pad(second, 1, **outside)
        right = np.zeros((height, width))
        for at in near:
            own_step, step = b[at] - first, s[at] - second
            taken = np.where(np.abs(own_step) > np.abs(step) + 1e-6, own_step, step) if mixed else step
            known = number[at] < 0
            right += np.where(known, b[at], s[at]) - second - taken
        added = solve(right[inside])
        largest = max(largest, np.abs(added).max(initial=0))
        made[:, :, k][inside] += part[inside] * (second[inside] + added - first[inside])
    border = ":border=constant:border_value=0.25" if framed else ":border=" + draw.one(("replicate", "mirror", "symmetric", "wrap"))
    graph = f"[1][2]mask[m];[0][m]poisson_blend={'mixed' if mixed else 'source'}{border}"
    return Case(graph, made, 1e-3 * largest, more=(Picture(part[:, :, None]),))


def histogram_plot(draw: Draw, picture: Picture) -> Case:
    wide, high = draw.whole(1, 300), draw.whole(1, 99)
    counts = np.stack([np.bincount(picture.pixels[:, :, k].ravel(), minlength=256) for k in range(3)], axis=1)
    share = counts[((np.arange(wide) + 0.5) * 256 / wide).astype(int)] / counts.max()
    level = 1 - (np.arange(high) + 0.5) / high
    sure = np.abs(share[None] - level[:, None, None]) > 1e-5
    return Case(f"histogram_plot={wide}:{high}", share[None] >= level[:, None, None], 0, sure)


def hough(draw: Draw, picture: Picture) -> Case:
    edges, angles = picture.real[:, :, 0] >= 0.5, draw.whole(1, 60)
    height, width = edges.shape
    votes, doubtful = (np.zeros((2 * (width + height) + 1, angles)) for _ in range(2))
    y, x = np.nonzero(edges)
    for k in range(angles):
        away = x * np.cos(k * np.pi / angles) + y * np.sin(k * np.pi / angles)
        np.add.at(votes[:, k], np.floor(away + 0.5).astype(int) + width + height, 1)
        near = np.abs(away % 1 - 0.5) < 1e-4  # rounds to either side
        for row in (0, 1):
            np.add.at(doubtful[:, k], np.floor(away[near]).astype(int) + width + height + row, 1)
    return Case(f"hough_lines=angles={angles}:result=votes:edges=no", votes / max(width, height), 1e-5,
                (doubtful == 0)[:, :, None])


def tensor(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    mean, scale, order = draw.numbers(3, 0, 200), draw.numbers(3, -0.1, 0.1), draw.one(("rgb", "bgr"))
    made = (picture.real * 255 - mean) * scale
    planes = [made[:, :, k] for k in ((0, 1, 2) if order == "rgb" else (2, 1, 0))]
    words = lambda values: precisely([*values, 0])
    return Case(f"tensor_pack={width}:{height}:{words(mean)}:{words(scale)}:{order}", np.concatenate(planes), 1e-4)


def tensor_back(draw: Draw, picture: Picture) -> Case:
    rows = picture.real.shape[0] // 3 * 3
    if not rows:
        return Case("tensor_unpack=1:2", picture.real * 2, 1e-5)
    planes = np.split(picture.real[:rows, :, 0] * 2, 3)
    return Case(f"crop=height={rows},tensor_unpack=3:2", np.stack(planes, axis=2), 1e-5)


def tv_denoise(draw: Draw, picture: Picture) -> Case:
    weight, steps = draw.number(0.01, 1), draw.whole(1, 40)
    expected = restoration.denoise_tv_chambolle(picture.real, weight=weight, eps=0, max_num_iter=steps, channel_axis=2)
    return Case(f"tv_denoise={weight:g}:{steps}", expected, 2e-5)


def ms_ssim(draw: Draw, a: Picture, b: Picture) -> Case:
    window = np.exp(-np.arange(-5, 6)**2 / 4.5)
    mean = lambda of: ndimage.correlate1d(ndimage.correlate1d(of, window / window.sum(), 0), window / window.sum(), 1)[5:-5, 5:-5]
    half = lambda of: of[:of.shape[0] // 2 * 2, :of.shape[1] // 2 * 2].reshape(
        of.shape[0] // 2, 2, of.shape[1] // 2, 2, -1).mean(axis=(1, 3))
    x, y = a.real, b.real * 0.5 + a.real * 0.5  # alike: powers of means below 0 are 0
    weights = np.array([0.0448, 0.2856, 0.3001, 0.2363, 0.1333])
    weights = weights[:min(5, int(np.log2(min(x.shape[:2]) / 11)) + 1)]
    made = 1
    for k, weight in enumerate(weights / weights.sum()):
        u, v = mean(x), mean(y)
        both, sum_of = mean(x * y) - u * v, mean(x * x) - u * u + mean(y * y) - v * v
        part = (2 * both + 9e-4) / (sum_of + 9e-4)
        if k == len(weights) - 1:
            part = part * (2 * u * v + 1e-4) / (u * u + v * v + 1e-4)
        made = made * np.maximum(part.mean(axis=(0, 1)), 0)**weight
        x, y = half(x), half(y)
    return Case("[0]split[a][c];[c][1]blend_dissolve=0.5[b];[a][b]ms_ssim", made.reshape(1, 1, -1), 1e-3)


ROWS = [
    Row("clahe", "cv2 createCLAHE", clahe, GREY, least=8),
    Row("match_histogram", "skimage match_histograms", match_histogram, ("u8x1", "u8x3"), inputs=2),
    Row("remap", "formula", remap, ("f32x3",), inputs=2),
    Row("kuwahara", "formula", kuwahara, PLANES),
    Row("structure", "cv2 morphologyEx", structure),
    Row("delta_e", "skimage deltaE_ciede2000", delta_e, ("f32x3",), inputs=2),
    Row("jfa_voronoi", "numpy, jump flooding", distance, ("f32x1",)),
    Row("draw_points", "formula", draw_points, RGB),
    Row("lines", "formula", lines, RGB),
    Row("poisson_blend", "scipy sparse.linalg.factorized", poisson_blend,
        ("u8x1", "u8x3", "u8x4", "u16x3", "f32x1", "f32x3", "f32x4"), inputs=2,
        side=100),
    Row("hough_lines", "formula", hough, ("f32x1",), side=40),
    Row("tensor_pack", "formula", tensor, ("f32x3",)),
    Row("tensor_unpack", "formula", tensor_back, ("f32x1",)),
    Row("tv_denoise", "skimage denoise_tv_chambolle", tv_denoise),
    Row("ms_ssim", "formula", ms_ssim, ("f32x1", "f32x3"), inputs=2, least=11, side=100),
    Row("histogram_plot", "numpy bincount", histogram_plot, ("u8x3",)),
]
