# SPDX-License-Identifier: MIT
"""What may be an image: strides, layouts, batches, and other libraries' arrays."""

import array
import itertools

import numpy
import pytest
import pyweft as weft
from conftest import picture


def views():
    base = picture((40, 60, 4))
    yield "sliced", base[5:30, 7:41]
    yield "every other row", base[::2]
    yield "every other pixel", base[:, ::2]
    yield "upside down", base[::-1]
    yield "mirrored", base[:, ::-1]
    yield "both", base[::-2, ::-3]
    yield "three of four channels", base[..., :3]
    yield "channels turned", base[..., ::-1]
    yield "transposed", base.transpose(1, 0, 2)
    yield "one channel", base[..., 2]
    yield "one channel kept", base[..., 2:3]
    yield "column order", numpy.asfortranarray(base)
    yield "one row many times", numpy.broadcast_to(base[:1], (9, 60, 4))
    yield "one pixel", base[3:4, 5:6]


@pytest.mark.parametrize("name,view", list(views()), ids=[name for name, _ in views()])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32"])
def test_strides(name, view, dtype):
    view = view if dtype == "uint8" else (view.astype(dtype) if name != "sliced" else picture((40, 60, 4), dtype)[5:30, 7:41])
    want = weft.gaussian(numpy.ascontiguousarray(view), 1.5)
    view.setflags(write=False)
    assert numpy.array_equal(weft.gaussian(view, 1.5), want)


def test_unaligned_floats():
    raw = numpy.zeros(4 * 30 * 20 + 1, "uint8")
    image = raw[1:].view("float32").reshape(20, 30)
    image[:] = picture((20, 30), "float32")
    assert numpy.array_equal(weft.gaussian(image, 1), weft.gaussian(image.copy(), 1))


def test_layouts_and_batches():
    batch = picture((2, 3, 20, 30, 3))
    want = numpy.stack([[weft.sharpen(image) for image in row] for row in batch])
    assert numpy.array_equal(weft.sharpen(batch), want)
    assert numpy.array_equal(weft.sharpen(batch, layout="NHWC"), want)
    planes = numpy.moveaxis(batch, -1, -3)
    for form in (planes, numpy.ascontiguousarray(planes)):
        ours = weft.sharpen(form, layout="CHW")
        assert ours.shape == form.shape and numpy.array_equal(ours, numpy.moveaxis(want, -1, -3))
    assert numpy.array_equal(weft.sharpen(planes[0], layout="NCHW"), numpy.moveaxis(want[0], -1, -3))
    many = picture((5, 20, 30))
    assert numpy.array_equal(weft.sharpen(many, layout="HW"), numpy.stack([weft.sharpen(image) for image in many]))
    assert numpy.array_equal(weft.sharpen(many, layout="NHW")[3], weft.sharpen(many[3]))


def test_batches_of_numbers_and_of_several_images():
    batch, one = picture((7, 16, 16, 3)), picture((16, 16, 3), seed=5)
    assert weft.reduce(batch).shape == (7, 3)
    assert numpy.allclose(weft.reduce(batch), batch.mean(axis=(1, 2)) / 255, atol=1e-6)
    ours = weft.blend_screen(batch, one)
    assert numpy.array_equal(ours[4], weft.blend_screen(batch[4], one))
    with pytest.raises(weft.FormatError, match="batch"):
        weft.blend_screen(batch, batch[:3])


def test_batches_are_run_by_each_thread():
    batch = picture((40, 64, 64, 3))
    want = numpy.stack([weft.median(image, 2) for image in batch])
    for _ in range(5):
        assert numpy.array_equal(weft.median(batch, 2), want)


def test_channels_of_results(color, grey):
    assert weft.grayscale(color).shape == (37, 53, 1)
    assert weft.grayscale(color, layout="HWC").ndim == 3
    assert weft.gaussian(grey, 2).shape == (37, 53)
    assert weft.resize(color, width=20, height=10).shape == (10, 20, 3)


def test_buffers(color):
    want = weft.gaussian(color, 2)
    ours = weft.gaussian(memoryview(color), 2)
    assert isinstance(ours, memoryview) and numpy.array_equal(numpy.asarray(ours), want)
    flat = array.array("f", [0.0, 1.0, 0.5, 0.25])
    assert numpy.array_equal(weft.invert(memoryview(flat).cast("B").cast("f", (2, 2))),
                             1 - numpy.array(flat, "float32").reshape(2, 2))


def test_array_interface(color):
    class Holder:
        __array_interface__ = color.__array_interface__

    assert numpy.array_equal(weft.gaussian(Holder(), 2), weft.gaussian(color, 2))


class OnGpu:
    """What says that it is an array of a GPU."""

    def __init__(self, address, strides=None):
        self.__cuda_array_interface__ = {"shape": (4, 5, 3), "typestr": "|u1", "data": (address, True), "strides": strides,
                                         "version": 3}


class Driver:
    """CUDA's driver, as far as it is asked: memory at 0x7000 and after it is of GPU 7."""

    def cuPointerGetAttribute(self, value, attribute, address):  # noqa: N802
        assert attribute.value == 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
        if address.value < 0x7000:
            return 1  # CUDA_ERROR_INVALID_VALUE
        value._obj.value = 7
        return 0


def test_cuda_array_interface_asks_the_driver(monkeypatch):
    from pyweft import _arrays

    monkeypatch.setattr(_arrays, "cuda_driver", Driver)
    told = _arrays.InterfaceAdapter().describe(OnGpu(0x7800), "image")
    assert told[1:] == (0x7800, (4, 5, 3), (15, 3, 1), "|u1", True, 7)
    with pytest.raises(weft.ArgumentError, match="knows no GPU .* 0x6000"):
        weft.invert(OnGpu(0x6000))
    monkeypatch.setattr(_arrays, "cuda_driver", lambda: None)
    with pytest.raises(weft.ArgumentError, match="there is no CUDA driver"):
        weft.invert(OnGpu(0x7800))


def test_dlpack(color):
    class Holder:
        def __dlpack__(self, **options):
            return color.__dlpack__(**options)

        def __dlpack_device__(self):
            return color.__dlpack_device__()

    assert numpy.array_equal(weft.gaussian(Holder(), 2), weft.gaussian(color, 2))
    assert numpy.array_equal(numpy.from_dlpack(weft.gaussian(Holder(), 2)), weft.gaussian(color, 2))


@pytest.mark.parametrize("mode,shape,dtype",
                         [("L", (20, 30), "uint8"), ("RGB", (20, 30, 3), "uint8"), ("RGBA", (20, 30, 4), "uint8"),
                          ("LA", (20, 30, 2), "uint8"), ("I;16", (20, 30), "uint16"), ("F", (20, 30), "float32")])
def test_pillow(mode, shape, dtype):
    pillow = pytest.importorskip("PIL.Image")
    levels = picture(shape, dtype)
    image = pillow.fromarray(levels)
    assert image.mode == mode
    ours = weft.gaussian(image, 2)
    assert isinstance(ours, pillow.Image) and ours.mode == mode
    form = "straight" if mode in ("LA", "RGBA") else None
    assert numpy.array_equal(numpy.asarray(ours), weft.gaussian(levels, 2, alpha_form=form))
    with pytest.raises(weft.FormatError, match="convert"):
        weft.gaussian(pillow.new("P", (4, 4)), 1)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32"])
def test_torch(dtype):
    torch = pytest.importorskip("torch")
    levels = picture((20, 30, 3), dtype)
    tensor = torch.from_numpy(levels)
    ours = weft.gaussian(tensor, 2)
    assert isinstance(ours, torch.Tensor) and ours.dtype == tensor.dtype
    assert numpy.array_equal(ours.numpy(), weft.gaussian(levels, 2))
    planes = tensor.permute(2, 0, 1)
    assert numpy.array_equal(weft.gaussian(planes, 2, layout="CHW").permute(1, 2, 0).numpy(), ours.numpy())
    out = torch.empty_like(tensor)
    assert weft.gaussian(tensor, 2, out=out) is out and torch.equal(out, ours)
    with pytest.raises(weft.FormatError, match="bfloat16"):
        weft.gaussian(tensor.to(torch.bfloat16), 2)


def test_images_of_several_libraries_in_one_call(color):
    class Interface:
        __array_interface__ = color.__array_interface__

    add, want = weft.graph("[0][1]blend_difference"), numpy.zeros_like(color)
    for first, second in ((Interface(), color), (color, Interface()), (color, memoryview(color))):
        assert numpy.array_equal(numpy.asarray(add(first, second)), want)


def test_results_do_not_share_pixels(color):
    """A result's own pixels must lie apart: of an array that is broadcast, rows would be written over one another."""
    line = numpy.zeros((2, *color.shape[1:]), "uint8")
    for strides in ((0, 3, 1), (2, 3, 1), (line.strides[0], 0, 1), (line.strides[0], 3, 0), (0, -3, 1)):
        out = numpy.lib.stride_tricks.as_strided(line[0], color.shape, strides)
        with pytest.raises(weft.ArgumentError, match="share memory"):
            weft.invert(color, out=out)
    wide = numpy.zeros((37, 60, 4), "uint8")
    assert numpy.array_equal(weft.invert(color, out=wide[::-1, 2:55, 1:]), 255 - color)


def test_jax():
    jax = pytest.importorskip("jax")
    levels = picture((20, 30, 3), "float32")
    ours = weft.gaussian(jax.device_put(levels, jax.devices("cpu")[0]), 2)
    assert isinstance(ours, jax.Array) and numpy.array_equal(numpy.asarray(ours), weft.gaussian(levels, 2))


def test_alpha_says_what_it_is():
    image = picture((20, 30, 4))
    image[:, :15, 3] = 0
    plain, straight = weft.gaussian(image, 3), weft.gaussian(image, 3, alpha_form="straight")
    assert not numpy.array_equal(plain, straight)
    assert numpy.array_equal(plain[..., 0], weft.gaussian(image[..., 0], 3))
    assert straight.alpha_form == "straight" and getattr(plain, "alpha_form") is None
    assert numpy.array_equal(weft.gaussian(straight, 1), weft.gaussian(numpy.asarray(straight), 1, alpha_form="straight"))


def test_results_show_themselves(color):
    png = weft.gaussian(color, 1)._repr_png_()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert weft.gaussian(color, 1, dtype="float32")._repr_png_()[:4] == b"\x89PNG"
    assert weft.histogram(color).__class__ is numpy.ndarray
    assert weft.gaussian(picture((3, 20, 20, 3)), 1)._repr_png_() is None
