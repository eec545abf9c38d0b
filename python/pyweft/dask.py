# SPDX-License-Identifier: MIT
"""Graphs on dask arrays of any chunking: one overlap of the whole graph's reach. Numbers of reductions are made first, of each chunk,
and then of these."""

import dask.array
import dask.array.overlap
import numpy

from . import _core, _filters
from ._errors import ArgumentError, UnsupportedError
from ._graph import Node, Number
from ._graph import graph as _graph
from ._graph import input as _input
from ._graph import nodes_of as _nodes_of
from ._graph import plan as _plan

# How the numbers of chunks become one, by what a reduction is called; and what chunks make of a mean.
JOINED = {"min": dask.array.min, "max": dask.array.max, "sum": dask.array.sum, "mean": dask.array.sum}


def _reach(made, shape, dtype, layout, device, numbers):
    """How far the graph looks on each side of its first inputs, behind which are `numbers` ones of a pixel:
    (above, below), (left, right)."""
    height, width = (shape[-3], shape[-2]) if layout == "HWC" and len(shape) > 2 else (shape[-2], shape[-1])
    own = shape[-3:] if len(shape) > 2 and layout != "HW" else (height, width)
    planned = _plan(made, *[(own, dtype)] * (len(made.inputs) - len(numbers)), *[(each, "float32") for each in numbers],
                    layout=layout, device=device)
    above = below = left = right = 0
    for i in range(len(made.inputs) - len(numbers)):
        reads, whole, sides = planned.reach(0, i)
        if whole:
            raise UnsupportedError(f"the graph looks at the whole of input {made.inputs[i]}, or at where pixels are, so it "
                                   "cannot be made of chunks: make one chunk of the image")
        left, above = max(left, sides[0]), max(above, sides[2])
        right, below = max(right, sides[1]), max(below, sides[3])
    return planned, (above, below), (left, right)


def _is_reduction(node):
    return node.number in (_core.filter_number("reduce"), _core.filter_number("histogram"))


class _Phases:
    """Takes a graph apart: reductions, whose numbers are dask arrays, and the graph that uses them."""

    def __init__(self, made, arrays, options):
        self.outputs, self.inputs = _nodes_of(made)
        self.arrays, self.options = dict(zip(map(id, self.inputs), arrays)), options
        self.layout, self.like = options["layout"], arrays[0]
        self.made, self.extra, self.numbers = {}, [], []

    def without_numbers(self, node):
        """The node with inputs of one pixel, which reductions look at, in the place of numbers."""
        if node.number is None:
            return node
        if id(node) not in self.made:
            values = tuple(self.bound(value) if isinstance(value, (Node, Number)) else value for value in node.values)
            self.made[id(node)] = Node(node.number, tuple(map(self.without_numbers, node.inputs)), values, node.name)
        return self.made[id(node)]

    def bound(self, value):
        node, index, scale = (value, 0, 1.0) if isinstance(value, Node) else (value.node, value.index, value.scale)
        if node.number != _core.filter_number("reduce"):
            raise UnsupportedError("a number that is not one of reduce cannot be had of chunks")
        if ("number", id(node)) not in self.made:
            pixel = _input(f"number {len(self.extra)}")
            self.extra.append(pixel)
            self.numbers.append(self.reduced(node))
            self.made["number", id(node)] = pixel.reduce("max")
        return Number(self.made["number", id(node)], index, scale)

    def reduced(self, node):
        """A reduction's numbers of all chunks, as a dask array: one for each channel, behind bins of a histogram."""
        seen = node.inputs[0]
        if seen.number is None:
            image = self.arrays[id(seen)]
        else:
            part = _graph(seen)
            image = apply(part, *[self.arrays[id(one)] for one in part._nodes[1]], **{**self.options, "dtype": "float32"})
        if image.ndim > 3 or (image.ndim > 2 and self.layout == "HW"):
            raise UnsupportedError("numbers of batches: apply the graph to each image by itself")
        flat = image.ndim < 3
        axes = (0, 1) if flat or self.layout == "HWC" else (1, 2)
        if not flat:
            image = image.rechunk({2 if self.layout == "HWC" else 0: -1})
        op = node.values[0] if node.number == _core.filter_number("reduce") else "sum"
        values = node.values if op != "mean" else ("sum", *node.values[1:])
        channels = 1 if flat else image.shape[3 - sum(axes)]
        bins = 1 if node.number == _core.filter_number("reduce") else int(node.values[0])
        options = {key: self.options[key] for key in ("layout", "alpha_form", "device")}
        number = node.number

        def reduce(block):
            """Of one chunk, as (1, 1, bins, channels)."""
            made = _core.call_filter(number, (block,), values, options["layout"], options["alpha_form"], None, None,
                                     options["device"], None)
            return numpy.asarray(made, "float64").reshape(1, 1, bins, channels)

        if axes == (1, 2):
            parts = dask.array.map_blocks(reduce, image, dtype="float64", drop_axis=0, new_axis=(2, 3), chunks=(
                (1,) * image.numblocks[1], (1,) * image.numblocks[2], (bins,), (channels,)), meta=numpy.zeros((0,) * 4))
        else:
            parts = dask.array.map_blocks(reduce, image, dtype="float64", **({} if flat else {"drop_axis": 2}), new_axis=(2, 3), chunks=(
                (1,) * image.numblocks[0], (1,) * image.numblocks[1], (bins,), (channels,)), meta=numpy.zeros((0,) * 4))
        total = JOINED[op](parts, axis=(0, 1))
        if op == "mean":
            total = total / (image.shape[axes[0]] * image.shape[axes[1]])
        return total[0] if bins == 1 else total

    def pixels(self):
        """Of each reduction the numbers as an image of one pixel, in the layout of the others, and its shape."""
        made = []
        for numbers in self.numbers:
            flat = self.like.ndim < 3
            if numbers.shape[0] > 1 and flat:
                raise UnsupportedError("numbers of several channels in a graph of images of one: take layout=\"HWC\"")
            shape = (1, 1) if flat else (1, 1, numbers.shape[0]) if self.layout == "HWC" else (numbers.shape[0], 1, 1)
            made.append((numbers.astype("float32").reshape(shape), shape))
        return made


def _take_apart(made, arrays, options):
    """(a graph that has no reductions of its own, the arrays that it reads, images of one pixel behind them, their shapes); or the
    numbers of a graph that is one reduction."""
    phases = _Phases(made, arrays, options)
    (label, output), = phases.outputs.items()
    if _is_reduction(output):
        return phases.reduced(output), None, None, None
    node = phases.without_numbers(output)
    if not phases.extra:
        return made, arrays, [], []
    alone = _graph(**{label: node}) if label else _graph(node)
    read = [array for one, array in zip(phases.inputs, arrays) if one in alone._nodes[1]]
    if not read:
        raise UnsupportedError("the graph reads its inputs for their numbers only")
    pixels = phases.pixels()
    return alone, read, [one for one, _ in pixels], [shape for _, shape in pixels]


def apply(graph, *arrays, layout="HWC", dtype=None, alpha_form=None, device=None):
    """A dask array of what the graph makes of dask arrays of one shape. Chunks overlap once, by as far as the whole graph
    looks; what is outside the array is what the filters' borders say. The result is as the whole image's: the same bits
    for exact filters, within their tolerance for gaussians. The graph makes one picture of the size of its inputs, or the numbers of
    one reduction. Numbers that are parameters of filters are made first."""
    made = _graph(graph)
    if len(made.labels) != 1 or len(arrays) != len(made.inputs):
        raise ArgumentError(f"the graph has {len(made.inputs)} inputs and {len(made.labels)} outputs; given are {len(arrays)} "
                            "arrays, and one output is made")
    if layout not in ("HWC", "CHW", "HW"):
        raise ArgumentError("layout must be HWC, CHW or HW; axes in front are batches")
    first = arrays[0]
    if any(array.shape != first.shape for array in arrays):
        raise ArgumentError("the arrays have different shapes")
    made, arrays, numbers, pixels = _take_apart(made, arrays, dict(layout=layout, dtype=dtype, alpha_form=alpha_form, device=device))
    if arrays is None:
        return made
    planned, rows, columns = _reach(made, first.shape, first.dtype, layout, device, pixels)
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

    def run(*parts, numbers, block_info=None):
        place = block_info[0]["chunk-location"]
        made_of = made(*parts, *numbers, layout=layout, dtype=dtype, alpha_form=alpha_form, device=device)
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
    return dask.array.map_blocks(run, *wide, numbers=[dask.delayed(each) for each in numbers], dtype=kind, chunks=tuple(chunks), meta=arrays[0]._meta.astype(kind))

