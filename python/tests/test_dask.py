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


@pytest.mark.parametrize("layout", ["HWC", "CHW"])
def test_numbers_that_are_parameters_are_made_first(layout):
    from pyweft.dask import apply

    image = weft.input()
    grey = image.gaussian(3).grayscale()
    graph = weft.graph(image.gaussian(2).luminance_threshold(grey.reduce("mean")[0] * 1.1))
    levels = picture((160, 170, 3)) // 2
    levels[:40] //= 3
    levels = levels if layout == "HWC" else numpy.ascontiguousarray(numpy.moveaxis(levels, -1, 0))
    want = graph(levels, layout=layout)
    chunks = (50, 60, 3) if layout == "HWC" else (3, 50, 60)
    ours = apply(graph, array.from_array(levels, chunks), layout=layout).compute(scheduler="threads")
    assert ours.shape == want.shape and 0.05 < (want > 0).mean() < 0.95
    assert (ours != want).mean() < 2e-3  # where the blur is within rounding of the threshold
    # Two numbers, one of them of several channels, and of two inputs.
    other = weft.input()
    graph = weft.graph(image.luminance_threshold(other.reduce("max")[1] * 0.5).blend_add(other.brightness(image.reduce("min")[2])))
    second = picture(levels.shape, seed=3) // 3
    ours = apply(graph, array.from_array(levels, chunks), array.from_array(second, chunks), layout=layout)
    assert numpy.array_equal(ours.compute(scheduler="threads"), graph(levels, second, layout=layout))


def test_numbers_of_reductions():
    from pyweft.dask import apply

    levels = picture((90, 70, 3))
    chunked = array.from_array(levels, (40, 30, 2))
    for op in ("min", "max", "sum", "mean"):
        ours = apply(weft.input().reduce(op), chunked).compute(scheduler="threads")
        assert numpy.allclose(ours, weft.reduce(levels, op), rtol=1e-7) and ours.shape == (3,)
        ours = apply(weft.input().median(2).grayscale().reduce(op), chunked).compute(scheduler="threads")
        assert numpy.allclose(ours, weft.input().median(2).grayscale().reduce(op)(levels), rtol=1e-6)
    counts = apply(weft.input().histogram(32), chunked).compute(scheduler="threads")
    assert numpy.array_equal(counts.ravel(), numpy.asarray(weft.histogram(levels, 32)).ravel()) and counts.sum() == levels.size
    plane = array.from_array(levels[..., 0], (40, 30))
    assert apply(weft.input().reduce("max"), plane).compute(scheduler="threads") == levels[..., 0].max() / 255


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
