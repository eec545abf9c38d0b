# SPDX-License-Identifier: MIT
"""SciPy's calls for the cells. It works on one thread."""

from collections.abc import Callable

import numpy as np
import scipy
from scipy import ndimage

from cell import Cell
from cells import SHARPEN

DIFFERENCES: dict[str, str] = {}
# Its medians look at the whole square for every pixel.
LARGEST_RANK_RADIUS = 4
BORDER = "mirror"


def version() -> str:
    return f"SciPy {scipy.__version__}"


def set_threads(count: int) -> None:
    pass


def sources(arrays: list[np.ndarray], cell: Cell) -> list:
    return arrays


def sobel(source: np.ndarray, result: np.ndarray) -> np.ndarray:
    x = ndimage.sobel(source, 1, mode="mirror")
    return np.hypot(x, ndimage.sobel(source, 0, mode="mirror"), out=result)


def call(cell: Cell) -> Callable | None:
    plane = (0, 1)
    if cell.filter == "gaussian":
        return lambda source, result: ndimage.gaussian_filter(source, cell.sigma, output=result, mode="mirror",
                                                              radius=cell.radius, axes=plane)
    if cell.filter == "box":
        return lambda source, result: ndimage.uniform_filter(source, cell.size, output=result, mode="mirror",
                                                             axes=plane)
    if cell.filter in ("dilate", "erode"):
        # An extremum over repeated edge pixels is that of the pixels inside.
        extremum = ndimage.maximum_filter if cell.filter == "dilate" else ndimage.minimum_filter
        return lambda source, result: extremum(source, cell.size, output=result, mode="nearest", axes=plane)
    if cell.filter == "median" and cell.radius <= LARGEST_RANK_RADIUS:
        return lambda source, result: ndimage.median_filter(source, cell.size, output=result, mode="nearest",
                                                            axes=plane)
    if cell.format == "f32x1" and cell.filter == "sobel":
        return sobel
    if cell.format == "f32x1" and cell.filter == "sobel x":
        return lambda source, result: ndimage.sobel(source, 1, output=result, mode="mirror")
    if cell.format == "f32x1" and cell.filter == "convolve3x3":
        kernel = np.array(SHARPEN, np.float32)
        return lambda source, result: ndimage.correlate(source, kernel, output=result, mode="mirror")
    return None
