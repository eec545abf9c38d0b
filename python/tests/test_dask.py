# SPDX-License-Identifier: MIT
"""Graphs on chunks: what comes out is what the whole image gives, however it is chunked."""

import numpy
import pytest
import pyweft as weft
from conftest import picture

array = pytest.importorskip("dask.array")

EXACT = ["median=2", "dilate=3,erode=3", "split[a][b];[a]box=4[c];[b]median=1[d];[c][d]absolute_difference", "box=7:border=replicate",
         "gamma=2,invert"]


@pytest.mark.parametrize("text", EXACT)
@pytest.mark.parametrize("chunks", [(50, 60, 3), (17, 200, 1), (200, 13, 2), (11, 9, 3), (-1, -1, -1)])
def test_exact_filters_make_the_same_bits(text, chunks):
    from pyweft.dask import apply

    image = picture((150, 170, 3))
    ours = apply(text, array.from_array(image, chunks))
    assert numpy.array_equal(ours.compute(scheduler="threads"), weft.graph(text)(image))
    assert ours.shape == image.shape and ours.dtype == image.dtype


@pytest.mark.parametrize("text,step", [("gaussian=12", 1), ("gaussian=6,unsharp_mask", 2)])
def test_gaussians_stay_within_their_tolerance(text, step):
    from pyweft.dask import apply

    image = picture((300, 310))
    ours = apply(text, array.from_array(image, (110, 90))).compute(scheduler="threads")
    assert numpy.abs(ours.astype(int) - weft.graph(text)(image)).max() <= step


def test_layouts_batches_and_two_arrays():
    from pyweft.dask import apply

    batch, other = picture((3, 2, 60, 50)), picture((3, 2, 60, 50), seed=2)
    chunked = array.from_array(batch, (1, 1, 20, 25))
    assert numpy.array_equal(apply("median=1", chunked, layout="CHW").compute(), weft.median(batch, 1, layout="CHW"))
    assert numpy.array_equal(apply("median=1", chunked, layout="HW").compute(), weft.median(batch, 1, layout="HW"))
    text = "[0]box=3[a];[a][1]blend_add"
    ours = apply(text, chunked, array.from_array(other, (3, 2, 9, 50)), layout="HW").compute()
    assert numpy.array_equal(ours, weft.graph(text)(batch, other, layout="HW"))
    assert apply("sobel", array.from_array(picture((40, 40, 3)), (20, 20, 3))).compute().shape == (40, 40, 1)


def test_what_chunks_cannot_do():
    from pyweft.dask import apply

    image = array.from_array(picture((60, 60, 3)), (20, 20, 3))
    for text in ("vignette", "resize=30", "flip", "split[a][b];[a]grayscale,reduce=mean[m];[b]luminance_threshold=@m", "reduce=mean"):
        with pytest.raises(weft.UnsupportedError):
            apply(text, image)


def test_reach_of_plans():
    plan = weft.plan("box=3:1,median=1", ((100, 100), "uint8"))
    assert plan.reach() == (True, False, (4, 4, 2, 2))
    with pytest.raises(weft.ArgumentError):
        plan.reach(1)


def test_xarray():
    xarray = pytest.importorskip("xarray")
    from pyweft.xarray import apply

    levels = picture((4, 40, 50))
    given = xarray.DataArray(levels, dims=("t", "y", "x"), coords={"t": [1, 2, 3, 4]}, attrs={"unit": "count"})
    want = weft.median(levels, 1, layout="HW")
    ours = apply("median=1", given)
    assert numpy.array_equal(ours.values, want) and ours.dims == given.dims and list(ours.t.values) == [1, 2, 3, 4]
    assert numpy.array_equal(apply("median=1", given.chunk({"y": 15})).values, want)
    turned = given.transpose("x", "t", "y")
    assert numpy.array_equal(apply("median=1", turned).transpose("t", "y", "x").values, want)
