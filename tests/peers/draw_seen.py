# SPDX-License-Identifier: MIT
"""Random parameters for edges and corners pixel by pixel, and for pictures in cells and tiles: OpenCV, SciPy."""

import cv2
import numpy as np
from scipy import ndimage

import borders
import effects
from draw_catalogue import PLACE, moved
from draw_features import maxima
from draw_moves import EDGE, cell, pixels, side_of, tolerance
from draws import COLORS, RGB, Case, Draw, Row, joined
from pictures import Picture

ANY = ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3")
WHOLE = 65535


def padded(image: np.ndarray, border: str, radius: int = 1):
    """A function of (x, y) that is the image moved."""
    around = borders.pad(image, radius, radius, border)
    height, width = image.shape[:2]
    return lambda x, y: around[radius + y:radius + y + height, radius + x:radius + x + width]


# ---- edges

def canny_gradient(size: int) -> Row:
    """OpenCV's Sobel kernels, by SciPy; of 7 over 16."""
    def make(draw: Draw, picture: Picture) -> Case:
        border, steps = draw.one(borders.ALL), draw.one((0, 255, draw.whole(1, 65535)))
        plane = picture.real[:, :, 0]
        half = np.abs(plane * max(steps, 1) % 1 - 0.5).min() < 1e-2  # between two steps
        plane = np.floor(plane * steps + 0.5) if steps else plane
        along, across = (kernel.ravel() for kernel in cv2.getDerivKernels(1, 0, size))
        kernel = np.outer(across, along) / (16 if size == 7 else 1)
        made = np.dstack([ndimage.correlate(plane, k, mode=borders.SCIPY[border]) for k in (kernel, kernel.T)])
        if steps and size == 7:
            made = np.round(made)  # halves to even, as both do
        exact = 0 if steps * np.abs(along).sum() * across.sum() / 2 < 2**24 else 1  # f32 holds larger sums but for a bit or two
        return Case(f"canny_gradient_{size}={steps}:{border}", made, exact if steps else 3e-6 * np.abs(kernel).sum(),
                    not (steps and half))
    return Row(f"canny_gradient_{size}", "scipy correlate", make, ("f32x1",))


def ways(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether whole gradients point along x, or along y, by OpenCV's tangent of 22.5 degrees in 15 bits."""
    across, down = np.abs(x) * 13573, np.abs(y) << 15
    return down < across, down > across + (np.abs(x) << 16)


def thinned(x: np.ndarray, y: np.ndarray, low: float, high: float, norm: str, border: str) -> np.ndarray:
    """OpenCV's comparisons of gradients in whole numbers: 1 strong, 0.5 weak."""
    length = np.abs(x) + np.abs(y) if norm == "l1" else x**2 + y**2
    low_is, high_is = (low, high) if norm == "l1" else (low**2, high**2)
    at = padded(length, border)
    lying, standing = ways(x, y)
    falling = (x < 0) != (y < 0)
    diagonal = (length > np.where(falling, at(1, -1), at(-1, -1))) & (length > np.where(falling, at(-1, 1), at(1, 1)))
    kept = np.where(lying, (length > at(-1, 0)) & (length >= at(1, 0)),
                    np.where(standing, (length > at(0, -1)) & (length >= at(0, 1)), diagonal))
    return np.where(length > high_is, 1, np.where(length > low_is, 0.5, 0)) * kept


def canny_suppress(draw: Draw) -> Case:
    height, width, border = draw.side(1, 40), draw.side(1, 40), draw.one(borders.ALL)
    most = draw.one((2, 20, 2000, 300000))
    x, y = (draw.random.integers(-most, most + 1, (height, width)) for _ in range(2))
    norm, low, high = draw.one(("l1", "l2")), draw.whole(0, most), draw.whole(0, 2 * most)
    made = thinned(x, y, low, high, norm, border)
    gradient = Picture(np.dstack([x, y]).astype(np.float32))
    return Case(f"canny_suppress={low}:{high}:{norm}:none:{border}", made[:, :, None], 0, more=(gradient,))


def canny(draw: Draw, picture: Picture) -> Case:
    """Of 8 bits OpenCV's. Of 16 bits, which it does not take, the same in whole numbers: in the steps of canny.c."""
    aperture, norm = draw.one((3, 5, 7)), draw.one(("l1", "l2"))
    scale = {3: 1, 5: 12, 7: 150}[aperture]
    low, high = draw.whole(0, 200) * scale, draw.whole(1, 400) * scale
    graph = f"canny={low}:{high}:sigma=0:aperture={aperture}:norm={norm}:unit=levels"
    if picture.type == "u8":
        expected = cv2.Canny(picture.pixels[:, :, 0], low, high, apertureSize=aperture, L2gradient=norm == "l2")
        return Case(graph + ":border=replicate", np.atleast_3d(expected) / 255.0, 0)
    steps = {3: 65535, 5: 21675, 7: 25500}[aperture]
    plane = np.floor(picture.real[:, :, 0] * steps + 0.5).astype(np.int64)
    along, across = (kernel.ravel().astype(np.int64) for kernel in cv2.getDerivKernels(1, 0, aperture))
    kernel = np.outer(across, along)
    x, y = (ndimage.correlate(plane, k, mode="nearest") for k in (kernel, kernel.T))
    if aperture == 7:
        x, y = (np.round(v / 16).astype(np.int64) for v in (x, y))
    low, high = (v * steps / 255 / (16 if aperture == 7 else 1) for v in sorted((low, high)))
    made = thinned(x, y, low, high, norm, "constant")
    labels, _ = ndimage.label(made > 0, np.ones((3, 3)))
    kept = np.isin(labels, np.unique(labels[made == 1]))
    return Case(graph + ":border=replicate", (kept & (made > 0))[:, :, None], 0)


def directional_nms(draw: Draw, picture: Picture) -> Case:
    """The neighbors are where green and blue point, each to -1, 0 or 1."""
    low, rise, border = draw.number(0, 0.5), draw.number(0.01, 0.5), draw.one(borders.ALL)
    red, (x, y) = picture.real[:, :, 0], (np.floor(picture.real[:, :, k] * 2 + 0.5) - 1 for k in (1, 2))
    at, most = padded(red, border), np.zeros(red.shape)
    for way in ((1, 0), (0, 1), (1, 1), (1, -1)):
        here = (x == way[0]) & (y == way[1]) | (x == -way[0]) & (y == -way[1])
        most = np.where(here, np.maximum(at(*way), at(-way[0], -way[1])), most)
    sure = (np.abs(most - red) > 1e-6) | (most == red)
    sure &= ((np.abs(picture.real[:, :, 1:] * 2 % 1 - 0.5) > 1e-4).all(axis=2))
    high = float(f"{low + rise:.6g}")
    made = np.where(most <= red, effects.smoothstep(low, high, red), 0)
    return Case(f"directional_nms={low:g}:{high:g}:{border}", made[:, :, None], 2e-5 / rise,
                sure[:, :, None])


def local_maxima(draw: Draw, picture: Picture) -> Case:
    border = draw.one(borders.ALL)
    radius, threshold, ties, result, expected = maxima(draw, picture, border)
    sure = np.abs(picture.real - threshold) > 1e-5
    return Case(f"local_maxima={radius}:{threshold:g}:{ties}:{result}:{border}", expected, 0, sure)


def whole_products(draw: Draw) -> Case:
    """Of steps of luminance; a gradient is in 4080ths of full scale, and not more than 4080 of prewitt's."""
    height, width, border = draw.side(1, 50), draw.side(1, 50), draw.one(borders.ALL)
    operator = draw.one(("sobel", "prewitt"))
    plane = np.floor(draw.plane(height, width) * WHOLE + 0.5)
    weights = np.outer([1, 2, 1] if operator == "sobel" else [1, 1, 1], [-1, 0, 1])
    scale = (4 if operator == "sobel" else 16) / 257
    x, y = (ndimage.correlate(plane, k, mode=borders.SCIPY[border]) * scale for k in (weights, weights.T))
    sure = (np.abs(x % 1 - 0.5) > 1e-4) & (np.abs(y % 1 - 0.5) > 1e-4)
    x, y = np.floor(x + 0.5), np.floor(y + 0.5)
    made = np.clip(np.dstack([x * x, y * y, x * y]), -4080**2, 4080**2)
    return Case(f"whole_products={operator}:{border}", made, 0, sure[:, :, None],
                (Picture(plane[:, :, None].astype(np.float32)),))


RING = ((3, 1), (3, -1), (-3, 1), (-3, -1), (1, 3), (-1, 3), (1, -3), (-1, -3))


def ring_differences(image: np.ndarray, border: str) -> tuple[np.ndarray, np.ndarray]:
    """The mean of eight pixels around less the one in the middle; the direction that they point to, each along the line
    from the middle, weighted by the color of that difference; and where that direction is sure."""
    at = padded(image, border, 3)
    color = sum(at(*place) for place in RING) / 8 - image
    length = np.linalg.norm(color, axis=2)
    unit = np.abs(color) / np.maximum(length, 1e-30)[:, :, None]
    x, y = (sum(at(*place) * place[axis] for place in RING) / np.sqrt(10) for axis in (0, 1))
    x, y = (unit * x).sum(axis=2), (unit * y).sum(axis=2)
    turn = np.where(length > 1e-4, np.arctan2(y, x), 0)
    sure = (length > 1e-2) & (np.hypot(x, y) > 1e-2) & (np.pi - np.abs(turn) > 1e-2) | (length < 5e-5)
    return np.dstack([0.5 * color + 0.5, (turn + np.pi) / (2 * np.pi)]), sure


def colour_fast_response(draw: Draw, picture: Picture) -> Case:
    border, colors = draw.one(borders.ALL), picture.real.shape[2]
    made, sure = ring_differences(np.broadcast_to(picture.real, (*picture.real.shape[:2], 3)), border)
    where = np.dstack([np.ones((*sure.shape, colors), bool), sure])
    return Case(f"colour_fast_response={border}", made[:, :, 3 - colors:], 3e-4, where)


def colour_fast(draw: Draw, picture: Picture) -> Case:
    radius, border, colors = draw.whole(0, 5), draw.one(borders.ALL), picture.real.shape[2]
    size = (2 * radius + 1, 2 * radius + 1, 1)
    soft = ndimage.uniform_filter(picture.real, size, mode=borders.SCIPY[border])
    made, sure = ring_differences(np.broadcast_to(soft, (*soft.shape[:2], 3)), border)
    where = np.dstack([np.ones((*sure.shape, colors), bool), sure])
    tolerance = 4e-3 if picture.type == "u8" else 5e-4  # the box is stored
    return Case(f"colour_fast={radius}:{border}", made[:, :, 3 - colors:], tolerance, where)


def color_packing(draw: Draw, picture: Picture) -> Case:
    height, width = (side // 2 * 2 for side in picture.real.shape[:2])
    red = picture.real[:height, :width, 0]
    return Case("color_packing", np.dstack([red[0::2, 0::2], red[0::2, 1::2], red[1::2, 0::2], red[1::2, 1::2]]), 0)


# ---- cells and tiles

def stretch(draw: Draw, picture: Picture) -> Case:
    """Along each axis by itself: places half as far from the middle where that is near, as far where it is not."""
    center, (height, width) = draw.numbers(2, -0.2, 1.2), picture.real.shape[:2]

    def along(i: np.ndarray, side: int, middle: float) -> np.ndarray:
        apart = 2 * ((i + 0.5) / side - middle)
        share = effects.mix(0.5, 1, effects.smoothstep(0.25, 0.5, np.abs(apart)))
        return (middle + 0.5 * apart * share) * side - 0.5
    x, y = pixels(picture)
    made = effects.looked_up(picture.real, along(x, width, center[0]), along(y, height, center[1]))
    return Case(f"stretch={joined(center)}", made, 2 * PLACE)


def pixellate_position(draw: Draw, picture: Picture) -> Case:
    fraction, center, share = draw.number(0.02, 0.7), draw.numbers(2, 0, 1), draw.number(0, 0.8)
    height, width = picture.real.shape[:2]
    side, (x, y) = side_of(fraction, width), pixels(picture)
    (u, clear_x), (v, clear_y) = cell(x, side), cell(y, side)
    apart = np.hypot(x + 0.5 - center[0] * width, y + 0.5 - center[1] * height)
    made = np.where((apart < share * width)[:, :, None], moved(picture.real, u, v), picture.real)
    clear = clear_x & clear_y & (np.abs(apart - share * width) > EDGE)
    return Case(f"pixellate_position={fraction:g}:{joined(center)}:{share:g}:replicate", made, tolerance(picture, side),
                clear[:, :, None])


def polar_pixellate(draw: Draw, picture: Picture) -> Case:
    """Rings are parts of half the width."""
    center, (ring, angle) = draw.numbers(2, -0.2, 1.2), (draw.number(0.05, 1), draw.number(0.05, 2))
    height, width = picture.real.shape[:2]
    x, y = pixels(picture)
    apart = (x + 0.5 - center[0] * width) + 1j * (y + 0.5 - center[1] * height)
    far, turn = np.abs(apart) * 2 / width / ring, np.angle(apart) / angle
    clear = (np.abs(far % 1 - 0.5) < 0.499) & (np.abs(turn % 1 - 0.5) < 0.499) & (np.abs(apart) > 1e-3)
    clear &= np.pi - np.abs(np.angle(apart)) > 1e-3
    place = (np.floor(far) + 0.5) * ring * width / 2 * np.exp(1j * (np.floor(turn) + 0.5) * angle)
    u, v = (c * side + part - 0.5 for c, side, part in zip(center, (width, height), (place.real, place.imag)))
    return Case(f"polar_pixellate={joined(center)}:{ring:g}|{angle:g}:none:replicate", moved(picture.real, u, v),
                2 * PLACE, clear[:, :, None])


PALETTE = np.array([[0, 0, 0], [1, 1, 1], [1 / 3, 1, 1], [1, 1 / 3, 1]])


def cga_colorspace(draw: Draw, picture: Picture) -> Case:
    """The top left place of each cell, in the nearest of four colors."""
    columns, rows = draw.whole(1, 80), draw.whole(1, 80)
    height, width = picture.real.shape[:2]
    x, y = pixels(picture)
    u, clear_x = cell(x, max(width / columns, 1), 0)
    v, clear_y = cell(y, max(height / rows, 1), 0)
    color = moved(picture.real, u, v)
    apart = ((color[:, :, None, :] - PALETTE) ** 2).sum(axis=3)
    nearest = np.sort(apart, axis=2)
    sure = clear_x & clear_y & (nearest[:, :, 1] - nearest[:, :, 0] > 2e-3)
    return Case(f"cga_colorspace={columns}|{rows}", PALETTE[apart.argmin(axis=2)], 1e-7, sure[:, :, None])


def mosaic_tiles(draw: Draw, picture: Picture) -> Case:
    """A tile for each cell, the darker the later, times the color of the cell's middle."""
    fraction, across, down = draw.number(0.05, 0.5), draw.whole(1, 5), draw.whole(1, 5)
    count, wide, high, colored = draw.whole(1, across * down), draw.whole(1, 9), draw.whole(1, 9), draw.chance(0.5)
    side, (x, y) = side_of(fraction, picture.real.shape[1]), pixels(picture)
    (u, clear_x), (v, clear_y) = cell(x, side), cell(y, side)
    color = effects.looked_up(picture.real, u, v)
    dark = (1 - color @ [0.299, 0.587, 0.114]) * count
    which = np.clip(np.floor(dark + 1e-3), 0, count - 1).astype(int)
    inside = [(i + 0.5) / side % 1 * size for i, size in ((x, wide), (y, high))]
    clear = clear_x & clear_y & (np.abs((dark + 1e-3) % 1 - 0.5) < 0.49)
    for part in inside:
        clear &= np.abs(part % 1 - 0.5) < 0.49
    tiles = draw.random.random((down * high, across * wide, 3)).astype(np.float32)
    made = tiles[which // across * high + inside[1].astype(int), which % across * wide + inside[0].astype(int)]
    graph = f"[0][1]mosaic_tiles={fraction:g}:{count}:{1 / across:.8g}:{1 / down:.8g}:{int(colored)}"
    return Case(graph, made.astype(np.float64) * (color if colored else 1), tolerance(picture, side), clear[:, :, None],
                (Picture(tiles),))


ROWS = [
    *(canny_gradient(size) for size in (3, 5, 7)),
    Row("canny", "cv2 Canny, whole numbers", canny, ("u8x1", "u16x1")),
    Row("canny_suppress", "the definition", canny_suppress, ("f32x1",), inputs=0),
    Row("directional_nms", "the definition", directional_nms, ("f32x3",)),
    Row("local_maxima", "the definition", local_maxima, ("u8x1", "u8x3", "f32x1")),
    Row("whole_products", "scipy correlate", whole_products, ("f32x1",), inputs=0),
    Row("colour_fast_response", "the definition", colour_fast_response, COLORS),
    Row("colour_fast", "scipy, the definition", colour_fast, COLORS),
    Row("color_packing", "numpy", color_packing, COLORS, least=2),
    Row("stretch", "scipy map_coordinates", stretch, ANY, least=2),
    Row("pixellate_position", "scipy map_coordinates", pixellate_position, ANY, least=2),
    Row("polar_pixellate", "scipy map_coordinates", polar_pixellate, ANY, least=2),
    Row("cga_colorspace", "scipy map_coordinates", cga_colorspace, RGB, least=2),
    Row("mosaic_tiles", "scipy map_coordinates", mosaic_tiles, ("f32x3",), least=2),
]
