# SPDX-License-Identifier: MIT
"""libvips's calls for the cells, by pyvips. Its borders repeat the edge pixel, and every result is new memory."""

import math
from collections.abc import Callable

import numpy as np
import pyvips

from cell import Cell
from cells import SEPIA, SHARPEN

DIFFERENCES = {
    "gaussian": "u8 in whole numbers, border replicate",
    "box": "a convolution of its whole size, border replicate",
    "convolve3x3": "border replicate",
    "resize x2 bilinear": "enlarges about another place",
    "resize x2 lanczos3": "enlarges about another place",
    "histogram": "u8 only",
}
# The work is alike, the picture is another.
OTHER_PICTURES = ("resize x2 bilinear", "resize x2 lanczos3")
# Its ranks look at the whole square for every pixel.
LARGEST_RANK_RADIUS = 4
# That it takes: 3.7 sigma.
LEAST_AMPLITUDE = 0.001
FORMAT = {"u8": "uchar", "u16": "ushort", "f32": "float"}
BORDER = "replicate"
GREY = "0.2125|0.7154|0.0721"  # weights of red, green and blue


def version() -> str:
    return "libvips " + ".".join(str(pyvips.version(part)) for part in range(3))


def set_threads(count: int) -> None:
    """VIPS_CONCURRENCY says how many, before the library starts; here only its memory of results is turned off."""
    pyvips.cache_set_max(0)


def sources(arrays: list[np.ndarray], cell: Cell) -> list:
    return [pyvips.Image.new_from_memory(array.data, cell.width, cell.height, cell.channels, FORMAT[cell.type])
            for array in arrays]


def operation(cell: Cell) -> Callable | None:
    """A function of an image that makes an image."""
    name = cell.filter.split()[0]
    whole = "float" if cell.type == "f32" else "integer"
    if name == "gaussian":
        # The mask ends where the gaussian falls below this: between the radius and the next pixel.
        least = max(math.exp(-0.5 * ((cell.radius + 0.5) / cell.sigma) ** 2), LEAST_AMPLITUDE)
        return lambda image: image.gaussblur(cell.sigma, min_ampl=least, precision=whole)
    if name == "box":
        mask = pyvips.Image.new_from_array([[1] * cell.size], scale=cell.size)
        return lambda image: image.convsep(mask, precision=whole)
    if name in ("dilate", "erode", "median"):
        if cell.radius > LARGEST_RANK_RADIUS:
            return None
        index = {"dilate": cell.size ** 2 - 1, "erode": 0, "median": cell.size ** 2 // 2}[name]
        return lambda image: image.rank(cell.size, cell.size, index)
    if name == "convolve3x3":
        mask = pyvips.Image.new_from_array([list(row) for row in SHARPEN])
        return lambda image: image.conv(mask, precision=whole)
    if name == "resize":
        _, factor, method = cell.filter.split()
        scale = float(factor[1:])
        if method == "area":
            return lambda image: image.shrink(1 / scale, 1 / scale)
        return lambda image: image.resize(scale, kernel={"bilinear": "linear"}.get(method, method))
    if name == "color_matrix" and cell.channels == 3:
        matrix = pyvips.Image.new_from_array([list(row) for row in SEPIA])
        return lambda image: image.recomb(matrix).cast(FORMAT[cell.type])
    if name == "grayscale" and cell.channels == 3:
        weights = pyvips.Image.new_from_array([[float(weight) for weight in GREY.split("|")]])
        return lambda image: image.recomb(weights).cast(FORMAT[cell.type])
    if name == "luminance_threshold" and cell.format == "u8x1":
        return lambda image: image >= 128
    if name == "histogram" and cell.type == "u8":
        return lambda image: image.hist_find()
    return None


def call(cell: Cell) -> Callable | None:
    if cell.filter == "blend_source_over":
        def over(images, result):
            backdrop, source = (image.copy(interpretation="srgb") for image in images)
            return backdrop.composite2(source, "over").write_to_memory()

        return over
    make = operation(cell)
    return make and (lambda source, result: make(source).write_to_memory())
