# SPDX-License-Identifier: MIT
"""Chunks of arrays that a graph makes pictures of: one overlap of the whole graph's reach."""

import dask
import dask.array
import dask.array.overlap
import numpy

from ._errors import ArgumentError, Error, UnsupportedError
from ._graph import plan as _plan


class CannotCut(UnsupportedError):
    """Says why a filter's results on chunks differ from its result on the whole image. The message follows the filter's name."""


class Chunk:
    """What the work on one chunk needs to know of all, and travels to other processes."""

    def __init__(self, planar, down, before, sizes, options):
        self.planar, self.down, self.before, self.sizes, self.options = planar, down, before, sizes, options

    def inside(self, place, window=None):
        """Where a chunk itself lies in what it overlaps: (left, top, width, height). With a window of the whole image, what of it
        lies in the chunk."""
        sides = []
        for axis, before, sizes in zip((1, 0), self.before[::-1], self.sizes[::-1]):
            here = place[self.down + axis]
            first, begin, size = before if here > 0 else 0, sum(sizes[:here]), sizes[here]
            low, high = (window[1 - axis], window[1 - axis] + window[3 - axis]) if window else (begin, begin + size)
            low, high = max(low, begin), min(high, begin + size)
            sides.append((first + low - begin, max(0, high - low)))
        (left, width), (top, height) = sides
        return left, top, width, height

    def run(self, graph, parts, more, dtype=None):
        """What a graph makes of a chunk with what it overlaps, and of the small images."""
        small = [numpy.ascontiguousarray(numpy.moveaxis(each, -1, 0) if self.planar else each, "float32") for each in more]
        if not isinstance(parts[0], numpy.ndarray):  # of a GPU
            small = [numpy.asarray(each, like=parts[0]) for each in small]
        return graph(*parts, *small, **{**self.options, "dtype": dtype})


class Tiles:
    """Arrays of one shape, in chunks that overlap by as far as a graph looks, and small images that each chunk reads whole."""

    def __init__(self, graph, arrays, forms, wholes, options):
        first = arrays[0]
        if any(array.shape != first.shape for array in arrays):
            raise ArgumentError(f"the arrays have different shapes: {', '.join(str(array.shape) for array in arrays)}")
        self.graph, self.wholes, self.options = graph, wholes, dict(options)
        self.dtype = first.dtype
        if first.ndim == 2 and options["layout"] == "HW":
            self.options["layout"] = "HWC"  # so that small images may have channels
        self.planar = self.options["layout"] == "CHW"
        self.options["alpha_form"] = (*forms, *(whole.alpha_form for whole in wholes))
        flat = first.ndim == 2 or self.options["layout"] == "HW"
        self.down = first.ndim - (2 if flat or self.planar else 3)
        self.channel = -1 if flat else self.down - 1 if self.planar else self.down + 2
        self.planned = self.plan(graph, first.shape, len(arrays))
        self._overlap(arrays)

    def plan(self, graph, shape=None, count=None, dtype=None):
        """The plan of a graph for the arrays, or ones of another shape, and the small images."""
        shape, count = shape or self.arrays[0].shape, count or len(self.arrays)
        given = [(shape, self.dtype)] * count
        small = [((each.shape[2], *each.shape[:2]) if self.planar else each.shape, "float32") for each in self.wholes]
        return _plan(graph, *given, *small, **{**self.options, "dtype": dtype})

    def _reach(self, count):
        """How far the graph looks: (above, below), (left, right)."""
        sides = numpy.zeros(4, int)
        for i in range(count):
            _, whole, own = self.planned.reach(0, i)
            if whole:
                raise CannotCut("looks at the whole image, or at where in it a pixel is, so it cannot be made of chunks: make "
                                "one chunk of the array, as by .rechunk(-1), or give numbers of the whole image in place of it")
            sides = numpy.maximum(sides, own)
        return tuple(map(int, sides[2:])), tuple(map(int, sides[:2]))

    def _overlap(self, arrays):
        first, (down, across) = arrays[0], (self.down, self.down + 1)
        width, height, *_ = self.planned.outputs[0]
        self.size = height, width
        if all(array.numblocks[down:across + 1] == (1, 1) for array in arrays):
            self.arrays = self.wide = [array.rechunk({self.channel: -1}) if self.channel >= 0 else array for array in arrays]
            self.blocks, self.chunk = (1, 1), Chunk(self.planar, down, (0, 0), ((height,), (width,)), self.options)
            return
        if self.planned.numbers[0] or (height, width) != first.shape[down:across + 1]:
            raise CannotCut(f"makes {width} x {height} pixels of {first.shape[across]} x {first.shape[down]}, so it cannot "
                            "be made of chunks, which are pieces of a picture of the same size: make one chunk of the array, as by "
                            ".rechunk(-1)")
        rows, columns = self._reach(len(arrays))
        # All channels of a pixel are in one chunk, and no chunk is smaller than what its neighbor looks at.
        least, pieces = {down: max(rows), across: max(columns)}, {}
        for axis in range(first.ndim):
            size, chunks = first.shape[axis], first.chunks[axis]
            if axis == self.channel:
                pieces[axis] = (size,)
            elif axis in least and len(chunks) > 1 and min(chunks) < least[axis]:
                count = max(1, size // max(least[axis], max(chunks)))
                pieces[axis] = tuple(len(part) for part in numpy.array_split(range(size), count))
            else:
                pieces[axis] = chunks
        self.arrays = [array.rechunk(pieces) for array in arrays]
        self.blocks = self.arrays[0].numblocks[down:across + 1]
        depth = {axis: sides if self.arrays[0].numblocks[axis] > 1 else (0, 0) for axis, sides in ((down, rows), (across, columns))}
        sizes = self.arrays[0].chunks[down:across + 1]
        self.chunk = Chunk(self.planar, down, (depth[down][0], depth[across][0]), sizes, self.options)
        self.wide = [dask.array.overlap.overlap(array, depth=depth, boundary={axis: "none" for axis in depth}, allow_rechunk=False)
                     for array in self.arrays]
        self._check_chunk()

    def _check_chunk(self):
        """Refuses filters that make pictures of a size of their own: of a chunk they would make one of the wrong size."""
        shape = tuple(sizes[0] for sizes in self.wide[0].chunks)
        if shape == self.arrays[0].shape:
            return
        try:
            width, height, *_ = self.plan(self.graph, shape, len(self.arrays)).outputs[0]
        except Error:
            width = height = -1
        if (height, width) != shape[self.down:self.down + 2]:
            raise CannotCut("makes pictures of a size that does not follow from its inputs', so it cannot be made of chunks: make "
                            "one chunk of the array, as by .rechunk(-1)")

    def map(self, function, **how):
        """The dask array of what a function makes of each chunk."""
        def call(*parts, more, block_info=None):
            return function(*parts, place=block_info[0]["chunk-location"], more=more)

        return dask.array.map_blocks(call, *self.wide, more=[dask.delayed(each.array) for each in self.wholes], **how)

    def _table(self):
        """The numbers that the graph makes of arrays of one chunk."""
        width, height, channels, _ = self.planned.outputs[0]
        shape = tuple(size for size in (height, width, channels) if size > 1)
        chunk, graph = self.chunk, self.graph

        def make(*parts, more):
            return numpy.asarray(chunk.run(graph, parts, more), "float64").reshape(shape)

        made = dask.delayed(make)(*self.arrays, more=[each.array for each in self.wholes])
        return dask.array.from_delayed(made, shape, "float64")

    def picture(self):
        """The dask array that the graph makes, in chunks of the arrays'."""
        if self.planned.numbers[0]:
            return self._table()
        first, dtype = self.arrays[0], self.options["dtype"]
        *_, channels, kind = self.planned.outputs[0]
        kind, chunks, meta, new = numpy.dtype(dtype or kind), list(first.chunks), first._meta, {}
        chunks[self.down:self.down + 2] = self.chunk.sizes
        if self.channel >= 0:
            chunks[self.channel] = (channels,)
        elif channels > 1:  # the graph makes colors of grey
            new = {"new_axis": [self.down if self.planar else self.down + 2]}
            chunks.insert(new["new_axis"][0], (channels,))
            meta = meta[..., numpy.newaxis]

        chunk, graph, at = self.chunk, self.graph, self.down + bool(new and self.planar)

        def make(*parts, place, more):
            made = chunk.run(graph, parts, more, dtype)
            left, top, width, height = chunk.inside(place)
            inside = [slice(None)] * made.ndim
            inside[at:at + 2] = slice(top, top + height), slice(left, left + width)
            result = made[tuple(inside)]
            return numpy.ascontiguousarray(result).view(numpy.ndarray) if isinstance(result, numpy.ndarray) else result

        return self.map(make, dtype=kind, chunks=tuple(chunks), meta=meta.astype(kind), **new)

    def numbers(self, function, bins, channels):
        """The dask array of numbers that a function makes of each chunk, as (1, 1, bins, channels)."""
        drop = {"drop_axis": self.channel} if self.channel >= 0 else {}
        return self.map(function, dtype="float64", new_axis=[2, 3], meta=numpy.zeros((0,) * 4),
                        chunks=(*((1,) * count for count in self.blocks), (bins,), (channels,)), **drop)
