# SPDX-License-Identifier: MIT
"""Numbers of chunks: all filters that measure the whole image by what can be merged give what they give of the whole."""

import inspect
import os
import pickle

import numpy
import pytest
import pyweft as weft
from conftest import picture
from pyweft import _filters, _graph

array = pytest.importorskip("dask.array")

TEXTS = [
    "average_color", "average_luminance", "histogram=7", "median=1,histogram=100", "gaussian=3,histogram", "gamma=2.2,reduce=sum",
    "[0][1]compare=mse", "[0][1]compare=mae", "[0][1]compare=max", "[0][1]compare=psnr", "[0][1]compare=delta_e", "harris",
    "sobel,reduce=max",
    "[0]gaussian=2,auto_levels=0.01:each", "equalize_histogram", "equalize_histogram=each", "[0][1]match_histogram",
    "histogram_plot",
    "average_luminance_threshold", "[0]average_luminance[m];[0]luminance_threshold=@m*0.8", "auto_levels,average_color",
    "[0]histogram=4[h];[0]brightness=@h[6]*0.0001", "[0][1]compare=mae[d];[0]brightness=@d",
    "[0]average_color[m];[0]monochrome=color=@m",
    "[0][1]compare=ssim", "[0][1]ms_ssim", "crop=3:40:50:45,histogram=9", "median=1,crop=60:7:2:2,average_color",
    "crop=1:80:90:9,reduce=min",
    "[0][1]blend_add,crop=0:0:100:90,resample=50:45:area,gaussian=2,crop=9:9:20:20,reduce=max",
    # The same by other filters and parameters: what a node does counts, not what it is called.
    "median=1,resample=50:45:area,gaussian=2,reduce=max", "crop=7:30,histogram=9", "crop=3:40:50:45:mirror,reduce=mean",
    "crop_region=0.25|0.5|0.5|0.5,average_color",
    "crop=0:0:98:90,resample=49:45:area,crop=0:0:48:44,resample=24:22:area,gaussian=1,reduce=mean",
    "[0]reduce=mean[m];[0]contrast=@m*3,reduce=max[n];[0]brightness=@n*-0.5,auto_levels",
]


def chunked(image, layout):
    """The image in chunks of sizes by chance, two or more along each side."""
    random = numpy.random.default_rng([int(os.environ.get("WEFT_TEST_SEED", 1)), *image.shape])

    def cut(size):
        places = numpy.sort(random.choice(numpy.arange(1, size), min(random.integers(1, 4), size - 1), replace=False))
        return tuple(numpy.diff([0, *places, size]).tolist())

    down = image.ndim - (2 if layout in ("HW", "CHW") else 3)
    return array.from_array(image,
                            tuple(cut(size) if axis in (down, down + 1) else (size,) for axis, size in enumerate(image.shape)))


def agrees(graph, images, layout="HWC", apart=1, **options):
    from pyweft.dask import apply

    want = numpy.asarray(graph(*images, layout=layout, **options))
    lazy = apply(graph, *(chunked(image, layout) for image in images), layout=layout, **options)
    ours = lazy.compute(scheduler="threads")
    assert ours.shape == lazy.shape == want.shape and ours.dtype == lazy.dtype == want.dtype
    if want.dtype == numpy.float64:
        assert numpy.allclose(ours, want, rtol=1e-6, atol=1e-7)
    elif want.dtype == numpy.float32:
        assert numpy.allclose(ours, want, atol=1e-5)
    else:  # where a value is within rounding of a threshold, or of two bins
        assert (numpy.abs(ours.astype(int) - want.astype(int)) > apart).mean() < 2e-3


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ["uint8"] if os.environ.get("WEFT_SANITIZED") else ["uint8", "uint16", "float32"])
def test_numbers_of_chunks_are_those_of_the_whole(text, kind):
    graph = weft.graph(text)
    images = [(picture((90, 100, 3), seed=seed) * 0.8).astype("float32") / 255 for seed in (1, 2)][:len(graph.inputs)]
    images = [image if kind == "float32" else (image * numpy.iinfo(kind).max).astype(kind) for image in images]
    agrees(graph, images, apart=1 if kind != "uint16" else 64)


def test_every_filter_that_measures():
    """What the descriptors say: all filters whose parts merge are tried with their defaults, and none is silently different."""
    tried = set()
    for name in _filters.__all__:
        filter = getattr(_filters, name)
        if not callable(filter) or name in ("Chain", "make"):
            continue
        inputs = [each for each in inspect.signature(filter).parameters if each in ("image", "other", "third", "fourth")]
        graph = weft.graph("".join(f"[{i}]" for i in range(len(inputs))) + name)
        for channels, form in ((3, None), (4, "straight"), (1, None)):
            images = [picture((50, 60, channels), seed=seed) for seed in range(len(inputs))]
            try:
                outputs, _ = _graph.nodes_of(graph, _graph.formats_of(images, "HWC", form))
            except weft.Error:
                continue
            if not images or not any(node.merge for node in _graph.ordered(outputs.values())[0]):
                continue
            try:
                agrees(graph, images, alpha_form=form)
                tried.add(name)
            except weft.UnsupportedError as error:
                assert str(error).startswith(name)
    assert len(tried) >= 12


def test_layouts_batches_and_grey():
    levels = picture((2, 3, 60, 50))
    for text in ("auto_levels", "[0]reduce=mean[m];[0]brightness=@m", "average_color", "histogram=5"):
        graph = weft.graph(text)
        agrees(graph, [levels], "CHW")
        agrees(graph, [levels[0]], "CHW")
        agrees(graph, [levels], "HW")
        agrees(graph, [numpy.ascontiguousarray(numpy.moveaxis(levels, 1, -1))], "HWC")
        agrees(graph, [levels[0, 0]], "HWC")
        agrees(graph, [levels[0, 0]], "HW")
    agrees(weft.graph("false_color"), [levels[0, 0]], "HWC")
    agrees(weft.graph("false_color"), [levels[0, 0]], "CHW")
    agrees(weft.graph("[0]reduce=mean[m];[0]false_color=@m"), [levels[0, 0]], "HW")
    agrees(weft.graph("[0][1]match_histogram"), [levels[0, 0], levels[1, 1, :31, :20]], "HW")


def test_alike_by_layouts_and_sizes():
    """Windows that are not whole are left out of the whole image, not of chunks; pictures get smaller from scale to scale."""
    levels = picture((2, 3, 71, 187)) // 2 + numpy.arange(187, dtype="uint8") // 2
    others = numpy.maximum(levels, picture(levels.shape, seed=2) // 3)
    for text in ("[0][1]compare=ssim", "[0][1]ms_ssim"):
        graph = weft.graph(text)
        agrees(graph, [levels, others], "CHW")
        agrees(graph, [levels, others], "HW")
        agrees(graph, [levels[0, 0], others[0, 0]], "HW")
        agrees(graph, [levels[0, 0, :9], others[0, 0, :9]], "HWC")
        agrees(graph, [picture((80, 70, 4)), picture((80, 70, 4), seed=2)], alpha_form="straight")
    agrees(weft.graph("[0]false_color[a];[1]false_color[b];[a][b]ms_ssim"), [levels[0, 0], others[0, 0]], "HW")


def test_numbers_that_are_not_finite():
    from pyweft.dask import apply

    image = picture((40, 50, 3)).astype("float32")
    image[:20] = numpy.nan
    image[30, 3] = -numpy.inf
    for op in ("min", "max", "mean", "sum"):
        ours = apply(f"reduce={op}", array.from_array(image, (10, 20, 3))).compute()
        assert numpy.array_equal(ours, weft.reduce(image, op), equal_nan=True)


def test_long_graphs_travel():
    """Nodes are plain data on their way to other processes, however many follow one another."""
    node = weft.input()
    for _ in range(600):
        node = node.invert()
    graph = pickle.loads(pickle.dumps(weft.graph(node.brightness(node.reduce("mean")[1] * 0.5))))
    agrees(graph, [picture((20, 30, 3))])


def test_numbers_of_xarray():
    xarray = pytest.importorskip("xarray")
    from pyweft.xarray import apply

    levels = picture((2, 40, 50, 3))
    given = xarray.DataArray(levels, dims=("t", "y", "x", "c"), coords={"t": [5, 6], "c": ["r", "g", "b"], "x": range(50)},
                             name="slide")
    for each in (given, given.chunk({"y": 15, "t": 1}), given.transpose("x", "c", "t", "y").chunk({"x": 20})):
        mean = apply("average_color", each, channel="c")
        assert mean.dims == ("t", "c") and list(mean.t.values) == [5, 6] and list(mean.c.values) == ["r", "g", "b"]
        assert mean.name == "slide" and set(mean.coords) == {"t", "c"}
        assert numpy.allclose(mean.values, levels.mean((1, 2)) / 255)
        counts = apply("histogram=16", each, channel="c")
        assert counts.dims == ("t", "bin", "c") and numpy.array_equal(counts.values, weft.histogram(levels, 16))
        equal = apply("auto_levels", each, channel="c").transpose("t", "y", "x", "c")
        assert numpy.abs(equal.values.astype(int) - weft.auto_levels(levels)).max() <= 1
    top = apply("reduce=max", given[0, :, :, 0].chunk({"x": 7}))
    assert top.dims == () and float(top) == levels[0, ..., 0].max() / 255
    with pytest.raises(weft.ArgumentError, match="dimensions"):
        apply("[0][1]blend_add", given, given[..., 0], channel="c")
