# SPDX-License-Identifier: MIT
"""CuPy's calls for the cells: cupyx.scipy.ndimage, which follows SciPy's."""

from collections.abc import Callable

import cupy
from cupyx.scipy import ndimage

from cell import Cell

DIFFERENCES = {"gaussian": "sums in double precision"}


def version() -> str:
    return f"CuPy {cupy.__version__}"


def call(cell: Cell) -> Callable | None:
    size = (cell.size, cell.size) + (1,) * (cell.channels > 1) if cell.radius is not None else None
    if cell.filter == "gaussian":
        sigma = (cell.sigma, cell.sigma) + (0,) * (cell.channels > 1)
        return lambda source, result: ndimage.gaussian_filter(source, sigma, output=result, mode="mirror",
                                                              truncate=cell.reach)
    filters = {"box": ndimage.uniform_filter, "dilate": ndimage.maximum_filter, "erode": ndimage.minimum_filter,
               "median": ndimage.median_filter}
    if cell.filter not in filters:
        return None
    return lambda source, result: filters[cell.filter](source, size=size, output=result, mode="mirror")
