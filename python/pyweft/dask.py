# SPDX-License-Identifier: MIT
"""Graphs on dask arrays of any chunking: one overlap of the whole graph's reach. Numbers are made first, of each chunk, and merged."""

import dask.array

from . import _core
from ._chunks import CannotCut, Tiles
from ._errors import ArgumentError, UnsupportedError
from ._graph import graph as _graph
from ._graph import nodes_of, ordered
from ._phases import Phases


def _forms(arrays, options):
    form = options["alpha_form"]
    return form if isinstance(form, tuple) else (form,) * len(arrays)


def _applied(made, arrays, options):
    own = 2 if options["layout"] == "HW" else 3
    first = arrays[0]
    images = [array[(0,) * max(0, array.ndim - own)] for array in arrays]
    phases = Phases(made, images, options)
    if not phases.has_numbers():
        return Tiles(made, arrays, _forms(arrays, options), [], options).picture()
    if first.ndim <= own:
        return phases.result()
    if any(array.shape[:-own] != first.shape[:-own] for array in arrays):
        raise ArgumentError("the arrays have leading axes of different sizes: a batch must be the same for all")
    return dask.array.stack([_applied(made, [array[i] for array in arrays], options) for i in range(first.shape[0])])


def _culprit(made, arrays, options):
    """The first filter of a graph that chunks do not do for, and why; None where it is not to be found."""
    outputs, inputs = nodes_of(made)
    place, forms = {id(node): i for i, node in enumerate(inputs)}, _forms(arrays, options)
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
    options = dict(layout=layout, dtype=dtype, alpha_form=alpha_form, device=device)
    try:
        return _applied(made, arrays, options)
    except CannotCut as error:
        name, why = _culprit(made, arrays, options) or ("the graph", error)
        raise UnsupportedError(f"{name} {why}") from None
