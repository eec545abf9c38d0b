# SPDX-License-Identifier: MIT
"""Graphs on xarray's DataArrays: dimensions, coordinates and attributes stay."""

from ._errors import ArgumentError
from ._graph import graph as _graph


def apply(graph, *arrays, y="y", x="x", channel=None, **options):
    """What the graph makes of DataArrays, in their own dimensions. `y` and `x` name those of the picture, `channel` that of
    its channels; all others are batches. Arrays of dask are filtered chunk by chunk, see pyweft.dask.apply."""
    made = _graph(graph)
    first = arrays[0]
    own = (y, x) if channel is None else (y, x, channel)
    if not set(own) <= set(first.dims):
        raise ArgumentError(f"the array has the dimensions {', '.join(map(str, first.dims))}, not {', '.join(own)}")
    turned = [array.transpose(..., *own) for array in arrays]
    layout = "HW" if channel is None else "HWC"
    if first.chunks is not None:
        from .dask import apply as on_chunks

        data = on_chunks(made, *(array.data for array in turned), layout=layout, **options)
    else:
        data = made(*(array.data for array in turned), layout=layout, **options)
    if data.shape != turned[0].shape:
        raise ArgumentError(f"the graph makes an array of {data.shape} of one of {turned[0].shape}, which has other coordinates")
    return turned[0].copy(data=data).transpose(*first.dims)
