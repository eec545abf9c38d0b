# SPDX-License-Identifier: MIT
"""Graphs on chunks: what comes out is what the whole image gives, however it is chunked."""

import numpy
import pytest
import pyweft as weft
from conftest import picture

array = pytest.importorskip("dask.array")

EXACT = ["median=2", "dilate=3,erode=3", "split[a][b];[a]box=4[c];[b]median=1[d];[c][d]absolute_difference",
         "box=7:border=replicate",
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


def test_types_by_all_their_names():
    from pyweft.dask import apply

    good = array.zeros((20, 20, 3), chunks=(10, 20, 3), dtype="uint8")
    for dtype in ("f32", "float32", numpy.float32, numpy.dtype("float32")):
        assert apply("gaussian", good, dtype=dtype).compute().dtype == numpy.float32


def test_what_chunks_cannot_do():
    """The error names the filter and says what does."""
    from pyweft.dask import apply

    numbers = array.from_array(picture((3, 20, 30, 1)) // 128 * 255, (1, 20, 30, 1))
    assert numpy.array_equal(apply("component_table", numbers).compute(), weft.component_table(numbers.compute()))
    with pytest.raises(weft.UnsupportedError, match="component_table makes"):
        apply("component_table", numbers.rechunk((3, 10, 30, 1)))

    def agrees(text, images):
        ours = apply(text, *(image.rechunk(-1) for image in images)).compute()
        want = weft.graph(text)(*(image.compute() for image in images))
        assert numpy.allclose(ours, want, rtol=1e-6) and ours.shape == numpy.shape(want)

    image = array.from_array(picture((60, 60, 3)), (20, 20, 3))
    for text, name in (("vignette", "vignette looks"), ("median=1,resize=30,box=2", "resize makes 30 x 30"), ("flip", "flip looks"),
                       ("invert,clahe", "clahe makes"), ("motion_detect", "motion_detect looks"), ("flip,reduce", "flip looks"),
                       ("crop=0:0:30:30,pad=right=30:bottom=30", "crop makes 30 x 30"),
                       ("[0]vignette,reduce=mean", "vignette looks"),
                       ("[0]grayscale,reduce=mean[m];[0]resize=20[s];[s]luminance_threshold=@m", "resize makes 20 x 20")):
        with pytest.raises(weft.UnsupportedError, match=name) as raised:
            apply(text, *[image] * len(weft.graph(text).inputs))
        assert "rechunk(-1)" in str(raised.value)
        agrees(text, [image] * len(weft.graph(text).inputs))


def test_bad_input_is_told_at_once():
    from pyweft.dask import apply

    image = picture((40, 50, 3))
    good = array.from_array(image, (20, 20, 3))
    for error, words, call in (
            (weft.ArgumentError, "ndarray", lambda: apply("gaussian", image)),
            (weft.ArgumentError, "NoneType", lambda: apply("gaussian", None)),
            (weft.ArgumentError, "image 1 is a ndarray", lambda: apply("[0][1]blend_add", good, image)),
            (weft.ArgumentError, "not known", lambda: apply("gaussian", good[good[:, 0, 0] > 3])),
            (weft.FormatError, "shape", lambda: apply("gaussian", good[0, :, 0])),
            (weft.FormatError, "shape", lambda: apply("reduce", good.sum())),
            (weft.FormatError, "shape", lambda: apply("gaussian", good[:0])),
            (weft.FormatError, "shape", lambda: apply("gaussian", array.zeros((9, 9, 5), dtype="uint8"))),
            (weft.FormatError, "cast", lambda: apply("gaussian", good.astype("float64"))),
            (weft.FormatError, "byteorder", lambda: apply("reduce", good.astype(">u2"))),
            (weft.FormatError, "dtype is int8", lambda: apply("gaussian", good, dtype="int8")),
            (weft.ArgumentError, "alpha_form", lambda: apply("gaussian", good, alpha_form="some")),
            (weft.ArgumentError, "layout", lambda: apply("gaussian", good, layout="WH"))):
        with pytest.raises(error, match=words):
            call()


@pytest.mark.parametrize("text,apart", [
    ("split[a][b];[a]median=1,grayscale,reduce=mean[m];[b]luminance_threshold=@m*1.1", 0),
    ("[0]median=2,grayscale,reduce=max[m];[0]box=4,luminance_threshold=@m*0.1:space=linear[out]", 0),
    ("[0]reduce=min[low];[0]reduce=max[high];[1]levels=in_min=@low:in_max=@high*0.9[l];[0][l]blend_add=0.5", 1),
    ("[0]reduce=mean[m];[0]monochrome=color=@m", 1),
    ("[0]reduce=min[m];[1]median=1,brightness=@m[1]*-0.5", 0),
    ("[0]box=3,reduce=mean[m];[0]brightness=@m*0.2[a];[a]reduce=max[n];[a]contrast=@n*1.5", 1),
])
@pytest.mark.parametrize("chunks", [(50, 60, 3), (-1, 31, 2)])
def test_numbers_of_text_are_made_first(text, apart, chunks):
    from pyweft.dask import apply

    images = [picture((130, 140, 3)) // 2, picture((130, 140, 3), seed=4)][:len(weft.graph(text).inputs)]
    want = weft.graph(text)(*images)
    ours = apply(text, *[array.from_array(image, chunks) for image in images]).compute(scheduler="threads")
    assert ours.shape == want.shape and ours.dtype == want.dtype and len(numpy.unique(want)) > 1
    assert numpy.abs(ours.astype(int) - want).max() <= apart
    assert not numpy.array_equal(want, apply(text, *[array.from_array(image // 2, chunks) for image in images]).compute())


def test_numbers_of_text_on_processes():
    """The two phases travel to other processes."""
    from pyweft.dask import apply

    image = picture((60, 70, 3))
    ours = apply("[0]reduce=max[m];[0]luminance_threshold=@m*0.5", array.from_array(image, (30, 30, 3)))
    assert numpy.array_equal(ours.compute(scheduler="processes", num_workers=1),
                             weft.graph("[0]reduce=max[m];[0]luminance_threshold=@m*0.5")(image))


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
        ours = apply(f"median=2,grayscale,reduce={op}", chunked).compute(scheduler="threads")
        assert numpy.allclose(ours, weft.graph(f"median=2,grayscale,reduce={op}")(levels), rtol=1e-6)
    assert apply("histogram=16", chunked).compute(scheduler="threads").sum() == levels.size
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
