# SPDX-License-Identifier: MIT
"""Numbers of chunked images. A graph of single filters is taken apart where reductions look at pictures: what these make of each
chunk is merged, as their descriptors say. What is made of merged numbers alone, as tables are, is made once; what is left reads
that as further images. Pictures of half the size are arrays of their own, which all that follows reads."""

import dask
import dask.array
import numpy

from ._chunks import CannotCut, Tiles
from ._filters import resample
from ._graph import Node, Number, formats_of, forms_of, nodes_of, ordered
from ._graph import graph as _graph
from ._graph import input as _input
from ._graph import plan as _plan

# How the numbers of chunks become one. Those of means count by their chunk's pixels before.
MERGES = {"min": numpy.fmin, "max": numpy.fmax, "sum": numpy.add, "mean": numpy.add}


class Whole:
    """A small image that is made of the whole arrays: its plan tells about it; `array` is of (height, width, channels)."""

    def __init__(self, planned, array):
        width, height, channels, _ = planned.outputs[0]
        self.shape, self.array = (height, width, channels), array
        (self.alpha_form, self.linear), = planned._core.forms


class Picture:
    """A chunked image that graphs read: an input, or one of half the size of what came before."""

    def __init__(self, array, alpha_form, half=False):
        self.array, self.alpha_form, self.half = array, alpha_form, half


def _keep(numbers, axis, keepdims):
    return numbers


def _rectangle(node):
    """The rectangle that a node cuts out, (left, top, width, height), and None where it does something else."""
    if not node.cells or any(side != 1 for _, _, side in node.cells):
        return None
    (left, width, _), (top, height, _) = node.cells
    return left, top, width, height


def _is_half(node):
    """Whether a node makes means of 2 x 2 pixels, from the first on."""
    return bool(node.cells) and all((first, side) == (0, 2) for first, _, side in node.cells)


def _halved(node):
    """The picture that a node makes means of, before its last row or column were left out, as is done where they are odd."""
    before = node.inputs[0]
    return before.inputs[0] if (_rectangle(before) or (1,))[:2] == (0, 0) else before


def _even(chunks):
    """Sizes of chunks that end where these do, or one before where that is odd."""
    ends = numpy.cumsum(chunks) // 2 * 2
    return tuple(numpy.diff(numpy.unique([0, *ends])).tolist())


class Phases:
    """Of a graph and the arrays that it reads, none of which is a batch: which nodes are what."""

    def __init__(self, made, arrays, options):
        if options["layout"] == "HW":  # the same, and smaller pictures may have channels
            options = {**options, "layout": "HWC"}
        self.made, self.options = made, options
        self.forms = forms_of(options["alpha_form"], len(arrays))
        self.given = [(array.shape, array.dtype) for array in arrays]
        outputs, inputs = nodes_of(made, formats_of(self.given, options["layout"], self.forms))
        self.pictures = {id(node): Picture(*each) for node, *each in zip(inputs, arrays, self.forms)}
        self.wholes = {}
        self.output, = outputs.values()
        self.small, self.measured = {}, {}
        self.order = ordered([self.output])[0]
        for node in self.order:
            parts = node.parts()
            self.measured[id(node)] = node.merge is not None or any(self.measured[id(part)] for part in parts)
            self.small[id(node)] = node.number is not None and (
                node.merge is not None or all(self.small[id(part)] for part in parts))

    def has_numbers(self):
        return self.measured[id(self.output)]

    def _is_apart(self, node):
        """Whether a node is made of merged numbers alone, so that pictures are to wait for it."""
        return self.small[id(node)] and self.measured[id(node)]

    def _is_half(self, node):
        return _is_half(node) and not self.small[id(node)]

    def _is_merged(self, node):
        return node.merge is not None and not self.small[id(node.inputs[0])]

    def _rebuilt(self, target, apart):
        """(the node anew, with inputs in the place of those nodes for which apart(node), the pictures that it reads, and the small
        images that are read behind these)."""
        needed, stack = set(), [target]
        while stack:
            node = stack.pop()
            if id(node) not in needed:
                needed.add(id(node))
                stack.extend([] if node is not target and (apart(node) or self._is_half(node)) else node.parts())
        order = [node for node in ordered([target])[0] if id(node) in needed]
        halves = [node for node in order if node is not target and self._is_half(node)]
        read = [self._picture(node) for node in order if node.number is None] + [self._picture(node) for node in halves]
        anew, standing = {id(node): _input() for node in halves}, []
        for node in order:
            if id(node) in anew:
                continue
            if node.number is None:
                anew[id(node)] = node
            elif node is not target and apart(node):
                standing.append(self._whole(node))
                anew[id(node)] = self._stand_in(node, standing[-1], _input(f"number {len(standing)}"))
            else:
                values = (Number(anew[id(value.node)], value.index, value.scale) if isinstance(value, Number) else value
                          for value in node.values)
                anew[id(node)] = Node(node.number, tuple(anew[id(part)] for part in node.inputs), tuple(values))
        return anew[id(target)], read, standing

    def _stand_in(self, node, whole, read):
        """What an image that is read is in the place of a node. Numbers are no colors, whose alpha or curve would be converted: a
        reduction of one pixel makes them again."""
        numbers, one = node.merge is not None, whole.shape[:2] == (1, 1)
        covered = numbers and not one and whole.alpha_form != "none"
        if (whole.linear or covered) and any(node in each.inputs for each in self.order):
            raise CannotCut("reads numbers of linear colors, or counts of an image with alpha, as a picture, which cannot be made "
                            "of chunks: encode colors before, leave alpha out, as by alpha_form=\"none\", or make one chunk of the "
                            "array, as by .rechunk(-1)")
        return Node(node.number, (read,), node.values) if numbers and one else read

    def _tiles(self, node, read, wholes, **options):
        """The chunks of arrays for a picture that is made of them and of small images."""
        if len({each.array.shape for each in read}) > 1 and any(each.half for each in read):
            raise CannotCut("joins pictures of several sizes, so it cannot be made of chunks: make one chunk of the array, as by "
                            ".rechunk(-1)")
        return Tiles(_graph(node), [each.array for each in read], [each.alpha_form for each in read], wholes,
                     {**self.options, **options})

    def _picture(self, node):
        """The picture that an input is, or that of half the size that a node makes, in float32."""
        if id(node) in self.pictures:
            return self.pictures[id(node)]
        before = _halved(node)
        if before.number is None or self._is_half(before):
            picture = self._picture(before)
        else:
            tiles = self._tiles(*self._rebuilt(before, self._is_apart), dtype="float32")
            (alpha_form, linear), = tiles.planned._core.forms
            if linear:
                raise CannotCut("makes a smaller picture of linear colors, which cannot be made of chunks: encode colors before, "
                                "or make one chunk of the array, as by .rechunk(-1)")
            picture = Picture(tiles.picture(), alpha_form)
        array, options = picture.array, {**self.options, "dtype": "float32", "alpha_form": picture.alpha_form}
        down = array.ndim - (2 if array.ndim == 2 or options["layout"] == "CHW" else 3)
        across = down + 1
        (_, width, _), (_, height, _) = node.cells
        array = array[(slice(None),) * down + (slice(2 * height), slice(2 * width))]
        array = array.rechunk({axis: _even(array.chunks[axis]) for axis in (down, across)})
        chunks = list(array.chunks)
        for axis in (down, across):
            chunks[axis] = tuple(size // 2 for size in chunks[axis])

        def make(part):
            return resample(part, part.shape[across] // 2, part.shape[down] // 2, "area", **options)

        half = array.map_blocks(make, dtype="float32", chunks=tuple(chunks), meta=array._meta.astype("float32"))
        self.pictures[id(node)] = Picture(half, picture.alpha_form, True)
        return self.pictures[id(node)]

    def _whole(self, node):
        """What a node that is apart makes of the whole arrays."""
        if id(node) not in self.wholes:
            self.wholes[id(node)] = self._merged(node) if self._is_merged(node) else self._of_numbers(node)
        return self.wholes[id(node)]

    def _merged(self, node):
        anew, read, wholes = self._rebuilt(node, self._is_apart)
        picture, = anew.inputs
        window = _rectangle(node.inputs[0])
        picture = picture.inputs[0] if window else picture
        tiles = self._tiles(picture, read, wholes)
        whole = Whole(tiles.plan(_graph(anew)), None)
        _, bins, channels = whole.shape
        chunk, mean, merge = tiles.chunk, node.merge == "mean", MERGES[node.merge]
        window = window or (0, 0, *tiles.size[::-1])

        def numbers(*parts, place, more):
            """Of what one chunk, without what it overlaps, has of the window."""
            left, top, width, height = chunk.inside(place, window)
            if width == 0 or height == 0:
                return numpy.full((1, 1, bins, channels), 0.0 if merge is numpy.add else numpy.nan)
            own = Node(anew.number, (picture.crop(left, top, width, height),), anew.values)
            made = numpy.asarray(chunk.run(_graph(own), parts, more), "float64").reshape(1, 1, bins, channels)
            return made * (width * height) if mean else made

        def merged(parts, axis, keepdims):
            return merge.reduce(parts, axis=axis, keepdims=keepdims)

        total = dask.array.reduction(tiles.numbers(numbers, bins, channels), chunk=_keep, combine=merged, aggregate=merged,
                                     axis=(0, 1), dtype="float64", meta=numpy.zeros((0, 0)))
        whole.array = (total / (window[2] * window[3]) if mean else total)[numpy.newaxis]
        return whole

    def _of_numbers(self, node, dtype="float32"):
        anew, _, wholes = self._rebuilt(node, self._is_merged)
        made, how = _graph(anew), {"alpha_form": tuple(whole.alpha_form for whole in wholes), "dtype": dtype}
        planned = _plan(made, *((whole.shape, "float32") for whole in wholes), **how)
        whole, kind = Whole(planned, None), planned.outputs[0][3]
        shape = whole.shape

        def numbers(*arrays):
            result = made(*(numpy.ascontiguousarray(each, "float32") for each in arrays), **how)
            return numpy.asarray(result, kind).view(numpy.ndarray).reshape(shape)

        whole.array = dask.array.from_delayed(dask.delayed(numbers)(*(each.array for each in wholes)), shape, kind)
        return whole

    def result(self):
        """The dask array that the graph makes."""
        if not self._is_apart(self.output):
            return self._tiles(*self._rebuilt(self.output, self._is_apart)).picture()
        planned = _plan(self.made, *self.given, **self.options)
        if planned.numbers[0]:
            array = self._whole(self.output).array
            return array.reshape([size for size in array.shape if size > 1])
        array = self._of_numbers(self.output, planned.outputs[0][3]).array
        if len(self.given[0][0]) < 3 and array.shape[2] == 1:
            return array[..., 0]
        return array.transpose(2, 0, 1) if self.options["layout"] == "CHW" else array
