# SPDX-License-Identifier: MIT
"""Random parameters for filters that look around, move pixels or measure them: SciPy, OpenCV, Pillow."""

import cv2
import numpy as np
from scipy import ndimage

import blurs
import borders
import effects
import geometry
import means
import ranks
import stencils
from colors import luminance
from draws import COLORS, RGB, Case, Draw, Row, joined
from pictures import FULL_SCALE, Picture, premultiplied, straight

EVERY = (*borders.ALL, "shrink")
NUMBERS = 2e-6
TWENTIETH = 0.05  # of a step, by which means of bytes in whole numbers may miss the truth


def by_alpha(graph: str, picture: Picture, function, tolerance: float) -> Case:
    """Colors count by their alpha. Where little of it arrives the color is a quotient of small numbers."""
    if not picture.alpha:
        return Case(graph, function(picture.real), tolerance)
    expected = straight(function(premultiplied(picture.real)))
    certain = np.broadcast_to(expected[:, :, -1:] > 0.02, expected.shape) | (np.arange(expected.shape[2]) == 3)
    return Case(graph, expected, 100 * tolerance, certain)


def gaussian(draw: Draw, picture: Picture) -> Case:
    sigma = tuple(draw.number(0.2, draw.one((1.0, 4.0, 12.0, 40.0))) for _ in range(2))
    border = draw.one(EVERY)
    graph = f"gaussian={sigma[1]:g}:{sigma[0]:g}:border={border}"
    return by_alpha(graph, picture, lambda real: blurs.gaussian(real, sigma, border), blurs.SIGMA)


def box(draw: Draw, picture: Picture) -> Case:
    x, y, border = draw.whole(0, 12), draw.whole(0, 12), draw.one(EVERY)
    real = picture.type == "f32"
    sums, count = means.padded_sums(picture.pixels.astype(np.float64 if real else np.int64), x, y, border)
    mean = sums / count / FULL_SCALE[picture.type]
    return Case(f"box={x}:{y}:border={border}", mean, 2e-6 if real else 0)


def bilateral(draw: Draw, picture: Picture) -> Case:
    space, color, radius, border = draw.number(0.5, 6), draw.number(0.02, 1), draw.whole(1, 5), draw.one(EVERY)
    expected = means.bilateral_model(picture.real, space, color, radius, border)
    return Case(f"bilateral={space:g}:{color:g}:{radius}:border={border}", expected, 2e-5)


def unsharp_mask(draw: Draw, picture: Picture) -> Case:
    sigma, amount, border = draw.number(0.3, 8), draw.number(0, 3), draw.one(borders.ALL)
    real = picture.real
    expected = real + amount * (real - blurs.gaussian(real, sigma, border))
    return Case(f"unsharp_mask={sigma:g}:{amount:g}:border={border}", expected, 2e-5 * (1 + amount))


def extremum(name: str, function) -> Row:
    def make(draw: Draw, picture: Picture) -> Case:
        x, y, border = draw.whole(0, 9), draw.whole(0, 9), draw.one(borders.ALL)
        chosen = function(picture.real, size=(2 * y + 1, 2 * x + 1, 1), mode=borders.SCIPY[border])
        return Case(f"{name}={x}:{y}:border={border}", chosen, 0)
    return Row(name, f"scipy {function.__name__}", make)


def morphology(name: str, code: int, tolerance: float = 0) -> Row:
    """OpenCV's, whose own border is that pixels outside never win."""
    def make(draw: Draw, picture: Picture) -> Case:
        x, y = draw.whole(0, 6), draw.whole(0, 6)
        kernel = np.ones((2 * y + 1, 2 * x + 1), np.uint8)
        flat = picture.real if picture.pixels.shape[2] > 1 else picture.real[:, :, 0]
        return Case(f"{name}={x}:{y}:border=shrink", np.atleast_3d(cv2.morphologyEx(flat, code, kernel)), tolerance)
    return Row(name, "cv2 morphologyEx", make)


def median(draw: Draw, picture: Picture) -> Case:
    radius, border = draw.whole(0, 6), draw.one(EVERY)
    size = (2 * radius + 1, 2 * radius + 1, 1)
    if border == "shrink":
        return Case(f"median={radius}:border=shrink", ranks.median_shrink(picture.real, radius), 0)
    return Case(f"median={radius}:border={border}",
                ndimage.median_filter(picture.real, size=size, mode=borders.SCIPY[border]), 0)


def gradient(name: str, along: list[float]) -> Row:
    def make(draw: Draw, picture: Picture) -> Case:
        component, border, strength = draw.one(("magnitude", "x", "y")), draw.one(EVERY), draw.number(0.1, 3)
        mode = borders.SCIPY["replicate" if border == "shrink" else border]  # a difference has no mean to shrink
        plane, weights = luminance(picture.real), np.outer(along, [-1, 0, 1])
        x, y = (ndimage.correlate(plane, kernel, mode=mode) for kernel in (weights, weights.T))
        made = {"x": x, "y": y, "magnitude": np.hypot(x, y)}[component] * strength
        graph = f"{name}={component}:edge_strength={strength:g}:border={border}"
        return Case(graph, made[:, :, None], 4e-6 * strength * sum(along))
    return Row(name, "scipy correlate", make, steps=TWENTIETH)


def correlated(name: str, draw: Draw, picture: Picture, words: str, weights, bias: float = 0) -> Case:
    border = draw.one(borders.ALL)
    weights = np.array(weights, float)
    expected = ndimage.correlate(picture.real, weights[:, :, None], mode=borders.SCIPY[border]) + bias
    return Case(f"{name}={words}:border={border}", expected, 1e-6 * (2 + np.abs(weights).sum()))


def convolve3x3(draw: Draw, picture: Picture) -> Case:
    weights, bias = draw.numbers(9, -2, 2), draw.number(-1, 1)
    return correlated("convolve3x3", draw, picture, f"{joined(weights)}:{bias:g}", np.reshape(weights, (3, 3)), bias)


def laplacian(draw: Draw, picture: Picture) -> Case:
    kernel, bias = draw.one(tuple(stencils.KERNELS)), draw.number(-0.5, 0.5)
    return correlated("laplacian", draw, picture, f"{kernel}:{bias:g}", stencils.KERNELS[kernel], bias)


def sharpen(draw: Draw, picture: Picture) -> Case:
    s = draw.number(-4, 4)
    return correlated("sharpen", draw, picture, f"{s:g}", [[0, -s, 0], [-s, 1 + 4 * s, -s], [0, -s, 0]])


def emboss(draw: Draw, picture: Picture) -> Case:
    s = draw.number(0, 4)
    return correlated("emboss", draw, picture, f"{s:g}", [[-2 * s, -s, 0], [-s, 1, s], [0, s, 2 * s]])


def separable(name: str, flip: bool) -> Row:
    def make(draw: Draw, picture: Picture) -> Case:
        row, column = (draw.numbers(2 * draw.whole(0, 10) + 1, -0.3, 0.5) for _ in range(2))
        border = draw.one(borders.ALL)
        expected = stencils.separable(picture, np.array(row), np.array(column), border, flip)
        size = (1 + np.abs(row).sum()) * (1 + np.abs(column).sum())
        return Case(f"{name}=row={joined(row)}:column={joined(column)}:border={border}", expected, 1e-6 * size)
    return Row(name, "scipy convolve1d" if flip else "scipy correlate1d", make, steps=TWENTIETH)


def crop(draw: Draw, picture: Picture) -> Case:
    height, width = picture.pixels.shape[:2]
    x, y = draw.whole(0, width - 1), draw.whole(0, height - 1)
    w, h = draw.whole(1, width - x), draw.whole(1, height - y)
    return Case(f"crop={x}:{y}:{w}:{h}", picture.real[y:y + h, x:x + w], 0)


def pad(draw: Draw, picture: Picture) -> Case:
    left, top, right, bottom = (draw.whole(0, 20) for _ in range(4))
    border = draw.one(borders.ALL)
    expected = np.pad(picture.real, ((top, bottom), (left, right), (0, 0)), mode=borders.NUMPY[border])
    return Case(f"pad={left}:{top}:{right}:{bottom}:border={border}", expected, 0)


def flip(draw: Draw, picture: Picture) -> Case:
    axis = draw.one(("x", "y", "both"))
    return Case(f"flip={axis}", np.flip(picture.real, {"x": 1, "y": 0, "both": (0, 1)}[axis]), 0)


def transpose(draw: Draw, picture: Picture) -> Case:
    x, y = draw.whole(0, 1), draw.whole(0, 1)
    made = picture.real.transpose(1, 0, 2)
    return Case(f"transpose={x}:{y}", made[:: -1 if y else 1, :: -1 if x else 1], 0)


def resize(draw: Draw, picture: Picture) -> Case:
    method, width, height = draw.one(tuple(geometry.PILLOW)), draw.whole(1, 100), draw.whole(1, 100)
    return by_alpha(f"resize={width}:{height}:method={method}", picture,
                    lambda real: geometry.pillow(real, width, height, method), 5e-6)


def cover(count: int, made: int) -> np.ndarray:
    """Which share of each of `made` pixels along an axis lies on each of `count`."""
    ends = np.arange(made + 1) * count / made
    low, high = np.maximum(ends[:-1, None], np.arange(count)), np.minimum(ends[1:, None], np.arange(count) + 1)
    return np.maximum(high - low, 0) * made / count


def resample(draw: Draw, picture: Picture) -> Case:
    """The mean of what an output pixel covers, where both sides shrink."""
    rows, columns = picture.pixels.shape[:2]
    width, height = draw.whole(1, columns), draw.whole(1, rows)
    expected = np.einsum("yr,xc,rck->yxk", cover(rows, height), cover(columns, width), picture.real)
    return Case(f"resample={width}:{height}:method=area", expected, 5e-6)


def reduce(draw: Draw, picture: Picture) -> Case:
    op = draw.one(("min", "max", "sum", "mean"))
    expected = getattr(np, op)(picture.real, axis=(0, 1))
    return Case(f"reduce={op}", expected.reshape(1, 1, -1), 1e-6 * max(1, np.abs(expected).max()))


def histogram(draw: Draw, picture: Picture) -> Case:
    bins = 2 ** draw.whole(1, 10) if picture.type == "f32" else 256 if picture.type == "u8" else 65536
    planes = picture.pixels.reshape(-1, picture.pixels.shape[2]).T
    if picture.type == "f32":
        counts = [np.histogram(np.clip(plane, 0, 1), bins, (0, 1))[0] for plane in planes]
        # What is less than a 2^20th part below the edge of a bin counts as at the edge.
        below = [np.histogram(np.clip(plane * (1 + 2e-6), 0, 1), bins, (0, 1))[0] for plane in planes.astype(float)]
    else:
        counts = below = [np.bincount(plane, minlength=bins) for plane in planes]
    made, other = (np.stack(each, axis=1)[None].astype(float) for each in (counts, below))
    return Case(f"histogram={bins}", made, 0, made == other)


def average_luminance(draw: Draw, picture: Picture) -> Case:
    return Case("average_luminance", np.array(luminance(picture.real).mean()).reshape(1, 1, 1), 2e-6)


def average_color(draw: Draw, picture: Picture) -> Case:
    return Case("average_color", picture.real.mean(axis=(0, 1), keepdims=True), NUMBERS)


def average_luminance_threshold(draw: Draw, picture: Picture) -> Case:
    factor, grey = draw.number(0.2, 2), luminance(picture.real)[:, :, None]
    level = factor * grey.mean()
    return Case(f"average_luminance_threshold={factor:g}", (grey >= level) * 1.0, 0, np.abs(grey - level) > 1e-5)


def gaussian_sampled(draw: Draw, picture: Picture) -> Case:
    radius = draw.number(0, 16)

    def both(plane: np.ndarray) -> np.ndarray:
        return blurs.sampled_axis(blurs.sampled_axis(plane, radius, 1), radius, 0)
    return Case(f"gaussian_sampled={radius:g}:border=replicate", borders.each_channel(both, picture.real), 1e-5)


def warp(name: str, factor) -> Row:
    """Moves pixels towards a place or away from it."""
    def make(draw: Draw, picture: Picture) -> Case:
        (u, v), radius, scale = draw.numbers(2, 0.2, 0.8), draw.number(0.1, 0.8), draw.number(-0.9, 0.9)
        height, width = picture.pixels.shape[:2]
        x, y = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
        dx, dy = x + 0.5 - u * width, y + 0.5 - v * height
        apart = np.hypot(dx, dy) / width
        moved = (dx + 1j * dy) * np.where(apart < radius, factor(apart / radius, scale), 1)
        expected = effects.looked_up(picture.real, x + moved.real - dx, y + moved.imag - dy)
        # Where the circle ends the factor bends or jumps.
        inside = (np.abs(apart - radius) > 1e-5)[:, :, None]
        return Case(f"{name}={u:g}|{v:g}:{radius:g}:{scale:g}", expected, 2e-4, inside)
    return Row(name, "scipy map_coordinates", make, least=4)


def hysteresis(draw: Draw, picture: Picture) -> Case:
    low, high = sorted(draw.numbers(2, 0.01, 0.99))
    plane, neighbors = luminance(picture.real), draw.one((4, 8))
    near = min(np.abs(plane - low).min(), np.abs(plane - high).min())
    labels, _ = ndimage.label(plane > low, np.ones((3, 3)) if neighbors == 8 else None)
    kept = np.unique(labels[plane > high])
    expected = np.isin(labels, kept[kept > 0])
    return Case(f"hysteresis={low:g}:{high:g}:neighbors={neighbors}", expected[:, :, None] * 1.0, 0, bool(near > 1e-5))


ROWS = [
    Row("gaussian", "scipy gaussian_filter", gaussian, (*COLORS, "f32x4"), steps=TWENTIETH),
    Row("box", "numpy, whole numbers", box),
    Row("bilateral", "the definition", bilateral, side=24),
    Row("unsharp_mask", "scipy gaussian_filter", unsharp_mask, steps=TWENTIETH),
    extremum("dilate", ndimage.maximum_filter),
    extremum("erode", ndimage.minimum_filter),
    morphology("opening", cv2.MORPH_OPEN),
    morphology("closing", cv2.MORPH_CLOSE),
    morphology("morphology_gradient", cv2.MORPH_GRADIENT, NUMBERS),
    morphology("top_hat", cv2.MORPH_TOPHAT, NUMBERS),
    morphology("black_hat", cv2.MORPH_BLACKHAT, NUMBERS),
    Row("median", "scipy median_filter", median, side=40),
    gradient("sobel", [1, 2, 1]),
    gradient("prewitt", [1, 1, 1]),
    gradient("scharr", [3, 10, 3]),
    Row("convolve3x3", "scipy correlate", convolve3x3, steps=TWENTIETH),
    Row("laplacian", "scipy correlate", laplacian, steps=TWENTIETH),
    Row("sharpen", "scipy correlate", sharpen, steps=TWENTIETH),
    Row("emboss", "scipy correlate", emboss, steps=TWENTIETH),
    separable("convolve_separable", True),
    separable("correlate_separable", False),
    Row("crop", "numpy", crop),
    Row("pad", "numpy pad", pad),
    Row("flip", "numpy flip", flip),
    Row("transpose", "numpy", transpose),
    Row("resize", "Pillow", resize, (*COLORS, "f32x4"), steps=TWENTIETH),
    Row("resample", "the definition", resample, steps=TWENTIETH),
    Row("reduce", "numpy", reduce),
    Row("histogram", "numpy", histogram),
    Row("average_luminance", "numpy", average_luminance, RGB),
    Row("average_color", "numpy mean", average_color),
    Row("average_luminance_threshold", "numpy mean", average_luminance_threshold),
    Row("gaussian_sampled", "scipy shift", gaussian_sampled, side=32, steps=TWENTIETH),
    warp("bulge", lambda r, s: (1 - s * (1 - r)) ** 2),
    warp("pinch", lambda r, s: 1 + s * (1 - r)),
    warp("swirl", lambda r, s: np.exp(1j * 8 * s * (1 - r) ** 2)),
    Row("hysteresis", "scipy label", hysteresis, COLORS),
]
