# SPDX-License-Identifier: MIT
"""Marks, lines and palettes by their definitions and OpenCV's markers, and what shows one image through another."""

import cv2
import numpy as np
from scipy import ndimage

from blends import OPERATORS, overlay
from compare import Suite
from effects import POINT, hue, looked_up, luminance, mix, smoothstep
from pictures import HEIGHT, WIDTH, straight

NEAR = 1e-5  # of a width: what is nearer to the edge of a line or a cell may fall on either side of it


def crosshairs(suite: Suite) -> None:
    places = np.random.default_rng(11).integers(0, (WIDTH, HEIGHT), (37, 2))
    places[:3] = (0, 0), (WIDTH - 1, HEIGHT - 1), (200, 0)
    places[30:] = places[:7] + (3, 2)  # marks that cross
    places = np.minimum(places, (WIDTH - 1, HEIGHT - 1))
    paint = np.array([1, 0.2, 0])
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for width, opacity in ((1, 1), (5, 1), (21, 1), (51, 0.25)):
            expected = picture.real
            for place in places:
                marked = cv2.drawMarker(np.zeros((HEIGHT, WIDTH), np.uint8), place.tolist(), 1, cv2.MARKER_CROSS, width)
                expected = mix(expected, paint, opacity * marked[:, :, None])
            shares = "|".join(f"{(x + 0.5) / WIDTH:.7f}|{(y + 0.5) / HEIGHT:.7f}" for x, y in places)
            pixels = "|".join(f"{x}|{y}" for x, y in places)
            for points, unit in ((shares, "share"), (pixels, "pixel")):
                graph = f"crosshair=width={width}:unit={unit}:color=1|0.2|0|{opacity}:points={points}"
                suite.real(graph, "cv2 drawMarker", picture, expected, POINT)


def squares(suite: Suite) -> None:
    """GPUImage's crosshairs: a square around each place, over those before, and nothing of the image."""
    paint = np.array([1, 0.2, 0])
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    for name in ("u8x3", "f32x3"):
        picture = suite.pictures[name]
        for width, points in ((5, ((0.2, 0.3), (0.5, 0.5), (0.21, 0.31))), (40, tuple((k / 20, k / 21) for k in range(20)))):
            expected, clear = np.zeros_like(picture.real), np.ones((HEIGHT, WIDTH), bool)
            step, middle = 1 / width, (width + 1) // 2 / width
            for u, v in points:
                p, q = ((a - b) / (width + 1) + 0.5 for a, b in ((x, u * WIDTH), (y, v * HEIGHT)))
                inside = (p >= 0) & (p < 1) & (q >= 0) & (q < 1)
                line = ((q >= step) & (abs(middle - p) <= 0.09)) | ((p >= step) & (abs(middle - q) <= 0.09))
                expected = np.where(inside[:, :, None], line[:, :, None] * paint, expected)
                for a in (p, q):  # edges in f32
                    for edge in (0, 1, step, middle - 0.09, middle + 0.09):
                        clear &= abs(a - edge) > 1e-4
            graph = f"crosshair={'|'.join(f'{u:.7f}|{v:.7f}' for u, v in points)}:{width}:1|0.2|0:compat=gpuimage"
            suite.real(graph, "numpy, the formula", picture, expected, POINT, "all but edges", clear[:, :, None])


def crosshatch(suite: Suite) -> None:
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    for name in ("u8x3", "u16x3", "f32x1"):
        picture = suite.pictures[name]
        light = luminance(picture.real)[:, :, 0] if picture.real.shape[2] > 1 else picture.real[:, :, 0]
        for compat, high in (("none", WIDTH), ("gpuimage", HEIGHT)):
            u, v = x / WIDTH, y / high
            for spacing, width in ((0.03, 0.003), (0.0213, 0.0071)):
                ink, clear = np.zeros(light.shape, bool), np.ones(light.shape, bool)
                for where, level in ((u + v, 1), (u - v, 0.75), (u + v - spacing / 2, 0.5), (u - v - spacing / 2, 0.3)):
                    beyond = np.mod(where, spacing)
                    ink |= (light < level) & (beyond <= width)
                    clear &= (np.abs(light - level) > NEAR) & (np.abs(beyond - width) > NEAR)
                    clear &= (beyond > NEAR) & (beyond < spacing - NEAR)
                suite.real(f"crosshatch={spacing}:{width}:{compat}", "numpy, the formula", picture, 1.0 - ink, 0,
                           "all but the edges of lines", clear[:, :, None])


def cga(suite: Suite) -> None:
    """The color of each cell's top left corner, in the nearest of four."""
    palette = np.array([[0, 0, 0], [1, 1, 1], [1 / 3, 1, 1], [1, 1 / 3, 1]])
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for graph, columns, rows in (("cga_colorspace", 320, 200), ("cga_colorspace=97|61", 97, 61)):
            cells = x * columns / WIDTH, y * rows / HEIGHT
            clear = np.all([(cell % 1 > 1e-3) & (cell % 1 < 1 - 1e-3) for cell in cells], axis=0)
            places = [np.clip(np.floor(cell) * side - 0.5, 0, side * count - 1) for cell, side, count in
                      ((cells[0], WIDTH / columns, columns), (cells[1], HEIGHT / rows, rows))]
            distances = ((looked_up(picture.real, *places)[:, :, None, :] - palette) ** 2).sum(axis=3)
            nearest = np.sort(distances, axis=2)
            clear &= nearest[:, :, 1] - nearest[:, :, 0] > 5e-3
            suite.real(graph, "numpy, the formula", picture, palette[distances.argmin(axis=2)], 1e-7,
                       "all but cells between two colors", clear[:, :, None])


def masks(suite: Suite) -> None:
    for name in ("u8x3", "u8x4", "u16x3", "u16x4"):
        first, second = suite.pictures[name], overlay(suite, name)
        opaque = np.ones((HEIGHT, WIDTH, 1))
        colors, alpha = first.real[:, :, :3], first.real[:, :, 3:] if first.alpha else opaque
        share = second.real[:, :, :3].mean(axis=2, keepdims=True) * (second.real[:, :, 3:] if second.alpha else 1)
        for graph, expected in (("mask", alpha * share), ("mask=compat=gpuimage", share),
                                ("alpha_combine", second.real[:, :, :1])):
            suite.real(graph, "numpy, the formula", [first, second], np.dstack([colors, expected]), POINT)
        painted = np.broadcast_to([0.2, 0.4, 0.6] + [1] * first.alpha, first.real.shape)
        dark = suite.picture(f"dark_{name}", np.where(second.real > 0.4, second.pixels, 0).astype(second.pixels.dtype),
                             second.alpha)
        on = (dark.real[:, :, :3] > 0).any(axis=2, keepdims=True)
        suite.real("mask_highlight=0.2|0.4|0.6|1", "numpy, the formula", [first, dark],
                   np.where(on, painted, first.real), POINT)
        for axis, divider in (("x", 0.3), ("y", 0.713)):
            side = WIDTH if axis == "x" else HEIGHT
            line = (np.arange(side) + 0.5).reshape((1, -1, 1) if axis == "x" else (-1, 1, 1)) / side
            suite.real(f"split_view={divider}:{axis}", "numpy, the formula", [first, second],
                       np.where(line > divider, second.real, first.real), POINT)


def operators(suite: Suite) -> None:
    """Porter and Duff's table: what is seen of the source and of the destination, by the alpha of the other."""
    for name in ("u8x4", "u16x4"):
        first, second = suite.pictures[name], overlay(suite, name)
        under, over = (np.dstack([picture.real[:, :, :3] * picture.real[:, :, 3:], picture.real[:, :, 3:]])
                       for picture in (first, second))
        for op, (source, backdrop) in OPERATORS.items():
            expected = straight(np.minimum(source(under[:, :, 3:]) * over + backdrop(over[:, :, 3:]) * under, 1))
            visible = np.ones_like(expected, bool)
            visible[:, :, :3] = expected[:, :, 3:] > 0.01
            suite.real(f"porter_duff={op}", "numpy, the formula", [first, second], expected, POINT, where=visible)


def keys(suite: Suite) -> None:
    """An actor before another background."""
    key = np.array([0.45, 0.6, 0.1])
    color = "0.45|0.6|0.1|1"
    for name in ("u8x3", "u16x3"):
        first, second = suite.pictures[name], overlay(suite, name)
        c = first.real
        beyond = np.maximum(np.linalg.norm(hue(c, 1) - hue(key, 1), axis=2, keepdims=True) - 0.05, 0) / 0.1
        alpha, near = np.minimum(beyond, 1), 1 - np.minimum(beyond, 1)
        for shrink in (0, 2):
            seen = ndimage.minimum_filter(alpha[:, :, 0], 2 * shrink + 1, mode="mirror")[:, :, None]
            graph = f"chroma_key_ue_blend={color}:0.05:0.1:spill=0.6:shrink={shrink}"
            expected = np.dstack([mix(second.real, c - c * key * near * 0.6, seen), np.ones(seen.shape)])
            suite.real(graph, "numpy, the formula", [first, second], expected, POINT)
    first, second = suite.pictures["u8x4"], overlay(suite, "u8x4")
    difference = first.real[:, :, :3] - key
    y = difference @ [0.2989, 0.5866, 0.1145]
    apart = np.hypot(0.7132 * (difference[:, :, 0] - y), 0.5647 * (difference[:, :, 2] - y))
    keep = smoothstep(0.1, 0.25, apart)[:, :, None]
    suite.real(f"chroma_key_blend={color}:0.1:0.15:gpuimage", "numpy, the formula", [first, second],
               mix(second.real, first.real, keep), POINT)


def compare(suite: Suite) -> None:
    for part in (crosshairs, squares, crosshatch, cga, masks, operators, keys):
        part(suite)
