# SPDX-License-Identifier: MIT
"""Graphs on dask arrays of any chunking: one overlap of the whole graph's reach."""

import dask.array
import dask.array.overlap
import numpy

from ._errors import ArgumentError, UnsupportedError
from ._graph import graph as _graph
from ._graph import plan as _plan


def _reach(made, shape, dtype, layout, device):
    """How far the graph looks on each side: (above, below), (left, right)."""
    height, width = (shape[-3], shape[-2]) if layout == "HWC" and len(shape) > 2 else (shape[-2], shape[-1])
    own = shape[-3:] if len(shape) > 2 and layout != "HW" else (height, width)
    planned = _plan(made, *[(own, dtype)] * len(made.inputs), layout=layout, device=device)
    above = below = left = right = 0
    for i in range(len(made.inputs)):
        reads, whole, sides = planned.reach(0, i)
        if whole:
            raise UnsupportedError(f"the graph looks at the whole of input {made.inputs[i]}, or at where pixels are, so it "
                                   "cannot be made of chunks: make one chunk of the image, or compute its numbers first")
        left, above = max(left, sides[0]), max(above, sides[2])
        right, below = max(right, sides[1]), max(below, sides[3])
    return planned, (above, below), (left, right)


def apply(graph, *arrays, layout="HWC", dtype=None, alpha_form=None, device=None):
    """A dask array of what the graph makes of dask arrays of one shape. Chunks overlap once, by as far as the whole graph
    looks; what is outside the array is what the filters' borders say. The result is as the whole image's: the same bits
    for exact filters, within their tolerance for gaussians. The graph makes one picture of the size of its inputs."""
    made = _graph(graph)
    if len(made.labels) != 1 or len(arrays) != len(made.inputs):
        raise ArgumentError(f"the graph has {len(made.inputs)} inputs and {len(made.labels)} outputs; given are {len(arrays)} "
                            "arrays, and one output is made")
    if layout not in ("HWC", "CHW", "HW"):
        raise ArgumentError("layout must be HWC, CHW or HW; axes in front are batches")
    first = arrays[0]
    if any(array.shape != first.shape for array in arrays):
        raise ArgumentError("the arrays have different shapes")
    planned, rows, columns = _reach(made, first.shape, first.dtype, layout, device)
    height = len(first.shape) - (3 if layout == "HWC" and first.ndim > 2 else 2)
    channel = {"HWC": height + 2, "CHW": height - 1}.get(layout, -1) if first.ndim > 2 else -1
    width, tall, channels, kind = planned.outputs[0]
    if planned.numbers[0] or (tall, width) != first.shape[height:height + 2]:
        raise UnsupportedError("the graph makes no picture of the size of its inputs: chunks are pieces of such a picture")
    if dtype is not None:
        kind = numpy.dtype(dtype).name
    # All channels of a pixel are in one chunk, and no chunk is smaller than what its neighbor looks at.
    least = {height: max(rows), height + 1: max(columns)}
    pieces = {}
    for axis in range(first.ndim):
        size, chunks = first.shape[axis], first.chunks[axis]
        if axis == channel:
            pieces[axis] = (size,)
        elif axis in least and len(chunks) > 1 and min(chunks) < least[axis]:
            count = max(1, size // max(least[axis], max(chunks)))
            pieces[axis] = tuple(len(part) for part in numpy.array_split(range(size), count))
        else:
            pieces[axis] = chunks
    arrays = [array.rechunk(pieces) for array in arrays]
    depth = {height: rows, height + 1: columns}
    wide = [dask.array.overlap.overlap(array, depth={axis: sides if array.numblocks[axis] > 1 else 0 for axis, sides in depth.items()},
                                       boundary={axis: "none" for axis in depth}, allow_rechunk=False) for array in arrays]
    cut = {axis: sides for axis, sides in depth.items() if arrays[0].numblocks[axis] > 1}
    blocks = arrays[0].numblocks

    def run(*parts, block_info=None):
        place = block_info[0]["chunk-location"]
        made_of = made(*parts, layout=layout, dtype=dtype, alpha_form=alpha_form, device=device)
        inside = [slice(None)] * made_of.ndim
        for axis, (before, behind) in cut.items():
            low = before if place[axis] > 0 else 0
            high = behind if place[axis] < blocks[axis] - 1 else 0
            inside[axis] = slice(low, made_of.shape[axis] - high)
        result = made_of[tuple(inside)]
        return numpy.ascontiguousarray(result).view(numpy.ndarray) if isinstance(result, numpy.ndarray) else result

    chunks = list(arrays[0].chunks)
    if channel >= 0:
        chunks[channel] = (channels,)
    return dask.array.map_blocks(run, *wide, dtype=kind, chunks=tuple(chunks), meta=arrays[0]._meta.astype(kind))

