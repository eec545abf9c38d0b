# SPDX-License-Identifier: MIT
"""The drop-ins for scipy.ndimage beside SciPy, on arrays and arguments that are drawn at random."""

import inspect

import draw as drawing
import numpy
import pytest
import pyweft as weft
from draw import ROUNDS, SEED
from pyweft.compat import ndimage as ours

ndimage = pytest.importorskip("scipy.ndimage")
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")


class Draw(drawing.Draw):
    """With what SciPy takes."""

    def array(self, axes=2, types=("uint8", "float32")):
        shape = tuple(self.whole(3, 40) for _ in range(axes))
        if self.one(types) == "uint8":
            return self.chance.integers(0, 256, shape, dtype="uint8")
        return self.chance.random(shape, dtype="float32")

    def outside(self, array):
        mode = self.one(MODES)
        full = 255 if array.dtype == numpy.uint8 else 1
        return {"mode": mode, "cval": self.whole(0, full) if "constant" in mode else 0}


def into(d, array, options):
    """Now and then the result is of float32."""
    if array.dtype == numpy.uint8 and d.one((0, 1)):
        options["output"] = numpy.float32
    return options


def gaussian(d):
    array = d.array()
    more = {"order": d.one((1, 2, (0, 1), (2, 0)))} if array.dtype == numpy.float32 and d.one((0, 1)) else {}
    sigma = d.one((d.number(0.3, 6), (d.number(0.3, 4), d.number(0.3, 4)), (0, d.number(0.3, 4))))
    gain = max(1, 2 / min(value for value in numpy.atleast_1d(sigma) if value) ** 4) if more else 1
    return "gaussian_filter", (array, sigma), {"truncate": d.number(1, 5), **more, **into(d, array, d.outside(array))}, gain


def gaussian_of_planes(d):
    """Three axes of which two are filtered."""
    array = d.array(3)[..., :d.one((1, 2, 3, 4, 9))]
    axes = (0, 1) if array.shape[-1] <= 4 else (1, 2)
    sigma = [0, 0, 0]
    for axis in axes:
        sigma[axis] = d.number(0.5, 3)
    if d.one((0, 1)):
        return "gaussian_filter", (array, tuple(sigma)), d.outside(array), 1
    return "gaussian_filter", (array, tuple(sigma[axis] for axis in axes)), {"axes": axes, **d.outside(array)}, 1


def gaussian_of_lines(d):
    array = d.array()
    return "gaussian_filter1d", (array, d.number(0.4, 4)), {"axis": d.one((0, 1, -1)), **d.outside(array)}, 1


def uniform(d):
    array, size = d.array(), (d.whole(1, 9), d.whole(1, 9))
    origin = d.one((0, tuple(d.whole(-(s // 2), (s - 1) // 2) for s in size)))
    return "uniform_filter", (array, size), {"origin": origin, **into(d, array, d.outside(array))}, 1


def median(d):
    array = d.array()
    return "median_filter", (array, d.odd(1, 9)), into(d, array, d.outside(array)), 0


def extreme(d):
    array = d.array()
    name = d.one(("grey_dilation", "grey_erosion", "maximum_filter", "minimum_filter"))
    size = d.one((d.odd(1, 9), (d.odd(1, 9), d.odd(1, 9))))
    if name.startswith("grey") and d.one((0, 1)):
        return name, (array,), {"footprint": numpy.ones((d.odd(1, 7), d.odd(1, 7))), **d.outside(array)}, 0
    return name, (array, size), d.outside(array), 0


def sobel(d):
    array = d.array()
    return "sobel", (array,), {"axis": d.one((0, 1, -1)), **into(d, array, d.outside(array))}, 8


def laplace(d):
    array = d.array()
    return "laplace", (array,), into(d, array, d.outside(array)), 8


def kernel(d):
    array, shape = d.array(), (d.whole(1, 7), d.whole(1, 7))
    options = into(d, array, d.outside(array))
    weights = d.chance.uniform(-1, 1, shape)
    if array.dtype == numpy.uint8 and "output" not in options:
        weights = numpy.rint(3 * weights)
    options["origin"] = d.one((0, tuple(d.whole(-((s - 1) // 2), (s - 1) // 2) for s in shape)))
    return d.one(("convolve", "correlate")), (array, weights), options, max(1, numpy.abs(weights).sum())


def line(d):
    array, weights = d.array(), d.chance.uniform(-1, 1, d.whole(1, 11))
    options = into(d, array, d.outside(array))
    if array.dtype == numpy.uint8 and "output" not in options:
        weights = numpy.rint(3 * weights)
    half = (len(weights) - 1) // 2
    options.update(axis=d.one((0, 1, -1)), origin=d.whole(-half, half))
    return "correlate1d", (array, weights), options, max(1, numpy.abs(weights).sum())


def places(d):
    array, shape = d.array(), d.one(((d.whole(1, 50),), (d.whole(1, 30), d.whole(1, 30))))
    order = d.one((0, 1))
    where = d.chance.uniform(-30, 70, (2, *shape)).astype("float32")
    where = numpy.where(numpy.abs(where % 1 - 0.5) < 1e-3, where + 0.01, where) if order == 0 else where
    outside = d.outside(array)
    outside["mode"] = d.one(("nearest", "mirror", "reflect", "grid-mirror", "grid-wrap", "grid-constant"))
    return "map_coordinates", (array, where), {"order": order, **outside}, 1


def zoom(d):
    factors = d.one((d.number(0.2, 4), (d.number(0.2, 4), d.number(0.2, 4))))
    return "zoom", (d.array(), factors), {"order": 1, "mode": d.one(MODES[:4])}, 2


CASES = [gaussian, gaussian_of_planes, gaussian_of_lines, uniform, median, extreme, sobel, laplace, kernel, line, places, zoom]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_as_scipy(case):
    for number in range(ROUNDS):
        name, arguments, options, gain = case(Draw(SEED, CASES.index(case), number))
        array = arguments[0]
        words = f"seed {SEED}, {number}: {name} of {array.dtype} {array.shape} {arguments[1:]} {options}"
        made, ours_made = getattr(ndimage, name)(*arguments, **options), getattr(ours, name)(*arguments, **options)
        assert made.shape == ours_made.shape and made.dtype == ours_made.dtype, words
        least = (1 if gain else 0) if made.dtype == numpy.uint8 else 1e-5 * gain * (255 if array.dtype == numpy.uint8 else 1)
        apart = numpy.abs(made.astype("float64") - ours_made)
        assert apart.max(initial=0) <= least, f"{words}: {apart.max()} apart, not within {least}"


def test_signatures_are_scipys():
    for name in ours.__all__:
        mine, theirs = (inspect.signature(getattr(library, name)).parameters for library in (ours, ndimage))
        shown = [(p.name, p.default, p.kind) for p in mine.values()]
        assert shown == [(p.name, p.default, p.kind) for p in theirs.values()], name


def test_output_takes_the_result():
    array = Draw(SEED).array()
    into = numpy.empty_like(array)
    assert ours.gaussian_filter(array, 2, output=into) is into and numpy.array_equal(into, ours.gaussian_filter(array, 2))


GREY = numpy.zeros((20, 30), "uint8")
REFUSED = [
    lambda: ours.gaussian_filter(numpy.zeros((9, 9, 9), "float32"), 2), lambda: ours.median_filter(GREY, (3, 5)),
    lambda: ours.median_filter(GREY, 4), lambda: ours.grey_dilation(GREY, structure=numpy.ones((3, 3))),
    lambda: ours.grey_erosion(GREY, footprint=numpy.eye(3)), lambda: ours.convolve(GREY, numpy.full((3, 3), 0.1)),
    lambda: ours.correlate1d(GREY, [0.5, -0.5, 1]), lambda: ours.map_coordinates(GREY, numpy.zeros((2, 4))),
    lambda: ours.map_coordinates(GREY, numpy.zeros((2, 4)), order=1), lambda: ours.zoom(GREY, 2),
    lambda: ours.gaussian_filter(GREY, 1, mode=("reflect", "wrap")), lambda: ours.gaussian_filter(GREY, 1, output=numpy.float64),
    lambda: ours.grey_erosion(GREY, 3, mode="constant", cval=-2), lambda: ours.zoom(GREY, 2, order=1, cval=256),
    lambda: ours.sobel(GREY, mode="constant", cval=3.5), lambda: ours.gaussian_filter(GREY, 1, mode="grid-constant", cval=-2),
    lambda: ours.median_filter(GREY, 3, mode="constant", cval=3.5, output=numpy.float32),
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_would_differ_is_refused(call):
    with pytest.raises(weft.UnsupportedError):
        call()


@pytest.mark.parametrize("array", [GREY.astype("float64"), GREY.astype("int32"), GREY[:0]])
def test_what_is_no_image_is_refused(array):
    with pytest.raises(weft.FormatError):
        ours.uniform_filter(array, 3)
