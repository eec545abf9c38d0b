# SPDX-License-Identifier: MIT
"""Halide's pipelines for the cells whose schedule is easy to write: stencils and direct gaussians of one channel. Rows
are computed as the output reaches them, by vectors, and bands of rows go to threads."""

import importlib.metadata
from collections.abc import Callable

import halide as hl
import numpy as np

from cell import Cell
from cells import SHARPEN

DIFFERENCES = {"gaussian": "u8 and u16 are computed in f32; cut at 3 sigma at every radius"}
LARGEST_RADIUS = 32  # the taps are written out
BAND, LANES = 64, 16
BORDER = "mirror"


def version() -> str:
    return f"Halide {importlib.metadata.version('halide')}"


def set_threads(count: int) -> None:
    """HL_NUM_THREADS says how many, before the first call."""


def sources(arrays: list[np.ndarray], cell: Cell) -> list:
    return [hl.Buffer(array) for array in arrays]


def total(terms: list):
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def stencil(cell: Cell, at: Callable):
    """The value at a pixel of a filter of 3 x 3, from a function of the place beside it."""
    if cell.filter == "convolve3x3":
        return total([weight * at(x - 1, y - 1) for y, row in enumerate(SHARPEN) for x, weight in enumerate(row)
                      if weight])
    along_x = total([weight * (at(1, y) - at(-1, y)) for y, weight in ((-1, 1), (0, 2), (1, 1))])
    if cell.filter == "sobel x":
        return along_x
    along_y = total([weight * (at(x, 1) - at(x, -1)) for x, weight in ((-1, 1), (0, 2), (1, 1))])
    return hl.sqrt(along_x * along_x + along_y * along_y)


def pipeline(cell: Cell, source):
    """The result as a function of x and y, and the functions before it that are to be kept by rows."""
    x, y = hl.Var("x"), hl.Var("y")
    inside, wide, result = hl.BoundaryConditions.mirror_interior(source), hl.Func("wide"), hl.Func("result")
    wide[x, y] = hl.cast(hl.Float(32), inside[x, y])
    kept = [wide]
    if cell.filter == "gaussian":
        weights = [float(np.exp(-0.5 * (k / cell.sigma) ** 2)) for k in range(cell.radius + 1)]
        weights = [hl.f32(weight / (2 * sum(weights) - weights[0])) for weight in weights]
        columns = hl.Func("columns")
        columns[x, y] = weights[0] * wide[x, y] + total([weight * (wide[x, y - k] + wide[x, y + k])
                                                         for k, weight in enumerate(weights) if k])
        value = weights[0] * columns[x, y] + total([weight * (columns[x - k, y] + columns[x + k, y])
                                                    for k, weight in enumerate(weights) if k])
        kept.append(columns)
    else:
        value = stencil(cell, lambda dx, dy: wide[x + dx, y + dy])
    if cell.type != "f32":
        value = hl.cast(hl.UInt(8 if cell.type == "u8" else 16), hl.clamp(value + 0.5, hl.f32(0), hl.f32(cell.full)))
    result[x, y] = value
    band, row = hl.Var("band"), hl.Var("row")
    result.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).vectorize(x, LANES).parallel(band)
    for function in kept:
        function.store_at(result, band).compute_at(result, row).vectorize(x, LANES)
    return result


def call(cell: Cell) -> Callable | None:
    direct = cell.filter == "gaussian" and cell.radius <= LARGEST_RADIUS
    if cell.channels != 1 or not (direct or cell.filter in ("sobel", "sobel x", "convolve3x3")):
        return None
    kind = {"u8": hl.UInt(8), "u16": hl.UInt(16), "f32": hl.Float(32)}[cell.type]
    source = hl.ImageParam(kind, 2)
    result = pipeline(cell, source)
    result.compile_jit()

    def run(image, target):
        source.set(image)
        result.realize(hl.Buffer(target))

    return run
