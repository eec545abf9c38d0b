# SPDX-License-Identifier: MIT
"""Graphs on dask arrays of any chunking: one overlap of the whole graph's reach. Numbers are made first, of each chunk, and
merged."""

import dask.array
import numpy

from . import _core
from ._arrays import SHORT, type_name
from ._chunks import CannotCut, Tiles
from ._errors import ArgumentError, FormatError, UnsupportedError, cast
from ._graph import graph as _graph
from ._graph import forms_of, nodes_of, ordered
from ._phases import Phases


def _applied(made, arrays, options):
    own = 2 if options["layout"] == "HW" else 3
    first = arrays[0]
    images = [array[(0,) * max(0, array.ndim - own)] for array in arrays]
    phases = Phases(made, images, options)
    if not phases.has_numbers():
        tiles = Tiles(made, arrays, forms_of(options["alpha_form"], len(arrays)), [], options)
        if first.ndim <= own or not tiles.planned.numbers[0]:
            return tiles.picture()
    if first.ndim <= own:
        return phases.result()
    if any(array.shape[:-own] != first.shape[:-own] for array in arrays):
        raise ArgumentError("the arrays have leading axes of different sizes: a batch must be the same for all")
    return dask.array.stack([_applied(made, [array[i] for array in arrays], options) for i in range(first.shape[0])])


def _culprit(made, arrays, options):
    """The name of the first filter that cannot be made of chunks, and the error; None if no single filter is the cause."""
    outputs, inputs = nodes_of(made)
    place, forms = {id(node): i for i, node in enumerate(inputs)}, forms_of(options["alpha_form"], len(arrays))
    for node in ordered(outputs.values())[0]:
        if node.number is None:
            continue
        read = [place[id(one)] for one in ordered([node])[1]]
        try:
            if read:
                _applied(_graph(node), [arrays[i] for i in read], {**options, "alpha_form": tuple(forms[i] for i in read)})
        except CannotCut as error:
            return _core.filter_name(node.number), error
    return None


def _check(arrays, options):
    """What is wrong with the arrays is said now, not by some chunk."""
    own = 2 if options["layout"] == "HW" else 3
    for i, array in enumerate(arrays):
        name = f"image {i}" if len(arrays) > 1 else "image"
        if not isinstance(array, dask.array.Array):
            raise ArgumentError(f"{name} is a {type(array).__name__}, but must be a dask array, as dask.array.from_array makes one")
        if numpy.isnan(array.shape).any():
            raise ArgumentError(f"{name} has chunks of sizes that are not known: array.compute_chunk_sizes() finds them")
        axis = -1 if options["layout"] == "HWC" else -3
        channels = 1 if array.ndim == 2 or own == 2 else array.shape[axis] if array.ndim > 2 else 0
        if array.ndim < 2 or 0 in array.shape or channels > 4:
            raise FormatError(f"{name} has the shape {array.shape}, which is no image of layout {options['layout']} of 1 to 4 "
                              "channels; with layout=\"HW\" leading axes are batches")
        if array.dtype.name not in SHORT.values() or not array.dtype.isnative:
            raise FormatError(f"{name}: {cast(array, array.dtype.name)}")
    if options["dtype"] is not None and options["dtype"] not in SHORT.values():
        raise FormatError(f"dtype is {options['dtype']}, but must be one of {', '.join(SHORT.values())}")


def apply(graph, *arrays, layout="HWC", dtype=None, alpha_form=None, device=None):
    """A dask array of what the graph makes of dask arrays. Chunks overlap once, by as far as the whole graph looks; what is
    outside the array is what the filters' borders say. The result is as the whole image's: the same bits for exact filters,
    within their tolerance for gaussians. The graph makes one picture of the size of its inputs, or numbers. What looks at the
    whole image by numbers of it alone, as reductions and auto_levels do, is made in two phases: the numbers of each chunk are
    merged before they are used."""
    made = _graph(graph)
    if len(made.labels) != 1 or len(arrays) != len(made.inputs) or not arrays:
        raise ArgumentError(f"the graph has {len(made.inputs)} inputs and {len(made.labels)} outputs; given are {len(arrays)} "
                            "arrays, and one output is made of one or more")
    if layout not in ("HWC", "CHW", "HW"):
        raise ArgumentError("layout must be HWC, CHW or HW; axes in front are batches")
    options = dict(layout=layout, dtype=None if dtype is None else type_name(dtype), alpha_form=alpha_form, device=device)
    _check(arrays, options)
    try:
        return _applied(made, arrays, options)
    except CannotCut as error:
        name, why = _culprit(made, arrays, options) or ("the graph", error)
        raise UnsupportedError(f"{name} {why}") from None
