# SPDX-License-Identifier: MIT
"""Graphs on xarray's DataArrays: dimensions, coordinates and attributes stay."""

from ._errors import ArgumentError
from ._graph import graph as _graph
from ._graph import plan as _plan


def _numbers(planned, first, data, batches, channel):
    """The numbers of a reduction, behind the dimensions of the batch those of bins and channels of which there are several."""
    bins, _, channels, _ = planned.outputs[0]
    dims = batches + [name for name, size in (("bin", bins), (channel or "channel", channels)) if size > 1]
    coords = {name: each for name, each in first.coords.items() if set(each.dims) <= set(dims) and each.shape == tuple(
        size for dim, size in zip(dims, getattr(data, "shape", ())) if dim in each.dims)}
    return type(first)(data, dims=dims, coords=coords, attrs=first.attrs, name=first.name)


def apply(graph, *arrays, y="y", x="x", channel=None, **options):
    """What the graph makes of DataArrays, in their own dimensions. `y` and `x` name those of the picture, `channel` that of
    its channels; all others are batches. Numbers of reductions have the dimensions of batches, "bin" and the channels', as far as
    there are several. Arrays of dask are filtered chunk by chunk, see pyweft.dask.apply."""
    made = _graph(graph)
    own = (y, x) if channel is None else (y, x, channel)
    for array in arrays:
        if not set(own) <= set(array.dims):
            raise ArgumentError(f"the array has the dimensions {', '.join(map(str, array.dims))}, not {', '.join(own)}")
    if not arrays:
        raise ArgumentError("there is no array")
    first = arrays[0]
    turned = [array.transpose(..., *own) for array in arrays]
    layout = "HW" if channel is None else "HWC"
    if first.chunks is not None:
        from .dask import apply as on_chunks

        data = on_chunks(made, *(array.data for array in turned), layout=layout, **options)
    else:
        data = made(*(array.data for array in turned), layout=layout, **options)
    planned = _plan(made, *((array.shape, array.dtype) for array in turned), layout=layout,
                    **{name: options[name] for name in ("alpha_form", "device") if name in options})
    if planned.numbers[0]:
        return _numbers(planned, first, data, list(turned[0].dims[:-len(own)]), channel)
    if data.shape != turned[0].shape:
        raise ArgumentError(f"the graph makes an array of {data.shape} of one of {turned[0].shape}, which has other coordinates")
    return turned[0].copy(data=data).transpose(*first.dims)
