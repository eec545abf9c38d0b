# SPDX-License-Identifier: MIT
"""Everything that is wrong is an exception of one family, and says what would be right."""

import numpy
import pytest
import pyweft as weft
from conftest import picture


@pytest.mark.parametrize("dtype",
                         ["bool", "float64", "int32", "int8", "uint32", "int64", "complex64", ">f4", ">u2", "S3", "datetime64[s]"])
def test_other_components_name_the_cast(dtype):
    image = numpy.zeros((4, 5), dtype)
    with pytest.raises(weft.FormatError, match="astype") as caught:
        weft.gaussian(image, 1)
    assert str(image.dtype) in str(caught.value)


@pytest.mark.parametrize("shape", [(), (5,), (4, 5, 0), (0, 5), (5, 0, 3), (4, 5, 5), (0, 4, 5, 3), (1,) * 12])
def test_shapes_that_are_no_images(shape):
    with pytest.raises(weft.FormatError):
        weft.gaussian(numpy.zeros(shape, "uint8"), 1)


@pytest.mark.parametrize("what", [None, 5, "image.png", [[1, 2], [3, 4]], object(), {1: 2}, numpy.ma.masked_array([[1]], [[0]])])
def test_what_is_no_array(what):
    with pytest.raises(weft.ArgumentError, match="array"):
        weft.gaussian(what, 1)


def test_parameters(color):
    with pytest.raises(weft.ParameterError) as caught:
        weft.gaussian(color, sigma=-1)
    assert caught.value.filter == "gaussian" and caught.value.parameter == "sigma" and isinstance(caught.value, ValueError)
    weft.gamma(color, 1.0)
    for value in (float("nan"), float("inf"), -3, "many", [1, 2], None, object()):
        try:
            weft.gamma(color, value)
            assert value is None  # the default
        except weft.ParameterError as error:
            assert error.parameter == "gamma"
    assert weft.gamma(color, 1.0) is not None  # the plan is as good as before
    with pytest.raises(weft.ParameterError, match="None"):
        weft.gaussian(color, sigma=None)
    with pytest.raises(weft.ArgumentError, match="alpha_form"):
        weft.gaussian(color, alpha_form="some")
    with pytest.raises(weft.ParameterError, match="mirror"):
        weft.gaussian(color, border="mirrored")
    with pytest.raises(weft.ParameterError):
        weft.convolve3x3(color, [1, 2, 3])
    with pytest.raises(weft.ParameterError):
        weft.gaussian(color, radius=1.5)
    with pytest.raises(TypeError):
        weft.gaussian(color, sigmas=1)


def test_graphs_show_the_place():
    with pytest.raises(weft.GraphError) as caught:
        weft.graph("gaussian=4,sobbel,invert")
    error = caught.value
    assert "did you mean 'sobel'" in str(error) and error.offset == 11 and error.length == 6
    lines = str(error).split("\n")
    assert lines[-2].index("sobbel") == lines[-1].index("^") and lines[-1].count("^") == 6
    with pytest.raises(weft.ParameterError) as caught:
        weft.graph("[photo]gaussian=sigma=x", inputs="photo")
    assert caught.value.offset == len("[photo]gaussian=sigma=")
    for text in ("", "[", "gaussian=", "a" * 5000, "\x00", "gaussian=4;;", "ünïcode", "[0][1]blend_add[0]"):
        with pytest.raises(weft.Error):
            weft.graph(text)


def test_images_that_do_not_fit(color):
    with pytest.raises(weft.FormatError):
        weft.blend_multiply(color, color[:-1])
    with pytest.raises(weft.ArgumentError, match="2 images"):
        weft.graph("blend_multiply")(color)
    with pytest.raises(TypeError):
        weft.blend_multiply(color)


def test_out(color):
    with pytest.raises(weft.ArgumentError, match="overlaps"):
        weft.gaussian(color, 2, out=color)
    both = picture((80, 53, 3))
    with pytest.raises(weft.ArgumentError, match="overlaps"):
        weft.gaussian(both[:40], 2, out=both[39:79])
    weft.gaussian(both[:40], 2, out=both[40:])
    with pytest.raises(weft.ArgumentError, match="overlaps"):
        weft.gaussian(both[:40, :, ::-1], 2, out=both[39:79])
    with pytest.raises(weft.FormatError, match="out is"):
        weft.gaussian(color, 2, out=numpy.empty((37, 53), "uint8"))
    with pytest.raises(weft.FormatError, match="float32"):
        weft.gaussian(color, 2, out=numpy.empty((37, 53, 3), "float32"))
    frozen = numpy.empty_like(color)
    frozen.setflags(write=False)
    with pytest.raises(weft.ArgumentError, match="read-only"):
        weft.gaussian(color, 2, out=frozen)
    with pytest.raises(weft.ArgumentError, match="numbers"):
        weft.reduce(color, out=numpy.empty(3))
    with pytest.raises(weft.ArgumentError):
        weft.gaussian(color, 2, out="out.png")


def test_arrays_that_die(color):
    dead = memoryview(color.tobytes()).cast("B", (37, 53, 3))
    dead.release()
    with pytest.raises(weft.ArgumentError):
        weft.gaussian(dead, 1)
    closed = bytearray(100)
    view = memoryview(closed).cast("B", (10, 10))
    result = weft.gaussian(view, 1)
    view.release()
    closed.clear()  # nothing holds it any more
    assert len(result) == 10


class Liar:
    """Arrays whose description is nonsense."""

    def __init__(self, **told):
        self.__array_interface__ = {"shape": (4, 4), "typestr": "|u1", "data": (0, False), "version": 3, **told}


@pytest.mark.parametrize("told", [{"shape": "none"}, {"typestr": "|O8"}, {"data": None}, {"shape": (-1, 4)}, {"version": "x"}])
def test_arrays_that_lie(told):
    with pytest.raises(Exception):
        weft.gaussian(Liar(**told), 1)


def test_options(color):
    for options in ({"layout": "WHC"}, {"layout": 3}, {"layout": "N"}, {"device": "nothing"}, {"device": 5}, {"stream": 0},
                    {"dtype": "float64"}, {"dtype": "no type"}):
        with pytest.raises(weft.Error):
            weft.gaussian(color, 1, **options)
    with pytest.raises(weft.ArgumentError, match="straight"):
        weft.gaussian(picture((4, 4, 4)), 1, alpha_form="bent")


def test_the_family(tmp_path):
    for name in ("ArgumentError", "GraphError", "ParameterError", "FormatError", "OutOfMemoryError", "FileError",
                 "UnsupportedError", "DeviceError", "CancelledError", "InternalError"):
        assert issubclass(getattr(weft, name), weft.Error)
    with pytest.raises(FileNotFoundError if False else weft.FileError, match="no.png"):
        weft.read(tmp_path / "no.png")
    assert issubclass(weft.FileError, OSError) and issubclass(weft.OutOfMemoryError, MemoryError)


def test_maps_have_three_channels(color):
    """The second of two is not green: x would be taken for y."""
    with pytest.raises(weft.FormatError, match="red and green"):
        weft.remap(color, numpy.zeros((5, 5, 2), "float32"))
