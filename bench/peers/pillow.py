# SPDX-License-Identifier: MIT
"""Pillow's calls for the cells, and Pillow-SIMD's, which has the same interface. They work on one thread, repeat the
edge pixel, and make every result anew."""

from collections.abc import Callable

import numpy as np
import PIL
from PIL import Image, ImageFilter

from cell import Cell
from cells import SEPIA, SHARPEN

DIFFERENCES = {
    "gaussian": "three boxes in place of a gaussian, border replicate",
    "box": "border replicate",
    "convolve3x3": "the outermost pixels are copied",
}
# Its ranks look at the whole square for every pixel.
LARGEST_RANK_RADIUS = 4
# RGBX where all four channels are data: RGBA would be weighed by alpha.
MODES = {"u8x1": "L", "u8x3": "RGB", "u8x4": "RGBX", "u16x1": "I;16", "f32x1": "F"}
METHODS = {"bilinear": Image.Resampling.BILINEAR, "lanczos3": Image.Resampling.LANCZOS, "area": Image.Resampling.BOX}
BORDER = "replicate"
GREY = "0.299|0.587|0.114"  # weights of red, green and blue


def version() -> str:
    return f"Pillow{'-SIMD' if '.post' in PIL.__version__ else ''} {PIL.__version__}"


def set_threads(count: int) -> None:
    pass


def sources(arrays: list[np.ndarray], cell: Cell) -> list:
    mode = "RGBA" if cell.filter == "blend_source_over" else MODES[cell.format]
    return [Image.frombytes(mode, (cell.width, cell.height), array.tobytes()) for array in arrays]


def u8_operation(cell: Cell) -> Callable | None:
    if cell.filter == "gaussian":
        return lambda image: image.filter(ImageFilter.GaussianBlur(cell.sigma))
    if cell.filter == "box":
        return lambda image: image.filter(ImageFilter.BoxBlur(cell.radius))
    rank = {"dilate": ImageFilter.MaxFilter, "erode": ImageFilter.MinFilter, "median": ImageFilter.MedianFilter}
    if cell.filter in rank and cell.radius <= LARGEST_RANK_RADIUS and cell.channels < 4:
        return lambda image: image.filter(rank[cell.filter](cell.size))
    if cell.filter == "convolve3x3" and cell.channels < 4:
        kernel = ImageFilter.Kernel((3, 3), [value for row in SHARPEN for value in row], 1)
        return lambda image: image.filter(kernel)
    if cell.filter == "grayscale" and cell.channels == 3:
        return lambda image: image.convert("L")
    if cell.filter == "color_matrix" and cell.channels == 3:
        matrix = [value for row in SEPIA for value in (*row, 0)]
        return lambda image: image.convert("RGB", matrix)
    if cell.filter == "luminance_threshold" and cell.channels == 1:
        table = [255 if value >= 128 else 0 for value in range(256)]
        return lambda image: image.point(table)
    if cell.filter == "histogram":
        return lambda image: image.histogram()
    return None


def call(cell: Cell) -> Callable | None:
    if cell.filter == "blend_source_over":
        return lambda images, result: Image.alpha_composite(*images)
    if cell.filter.startswith("resize "):
        _, factor, method = cell.filter.split()
        size = tuple(round(side * float(factor[1:])) for side in (cell.width, cell.height))
        return lambda source, result: source.resize(size, METHODS[method])
    make = u8_operation(cell) if cell.type == "u8" else None
    return make and (lambda source, result: make(source))
