# SPDX-License-Identifier: MIT
"""Files, and the tool."""

import os
import pathlib
import subprocess
import sys

import numpy
import pytest
import pyweft as weft
from conftest import picture

PHOTO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "photo.jpg")


@pytest.mark.parametrize("name,shape,dtype",
                         [("a.png", (20, 30, 3), "uint8"), ("a.png", (20, 30), "uint16"), ("a.png", (20, 30, 4), "uint8"),
                          ("a.pfm", (20, 30, 3), "float32"), ("a.pam", (20, 30, 2), "uint16"),
                          ("a.tiff", (20, 30, 4), "uint16")])
def test_what_is_written_is_read(tmp_path, name, shape, dtype):
    form = "straight" if shape[2:] in ((2,), (4,)) else None
    image = picture(shape, dtype)
    weft.write(tmp_path / name, image, alpha_form=form)
    back = weft.read(tmp_path / name)
    assert isinstance(back, weft.Image) and back.dtype == image.dtype
    assert numpy.array_equal(back, image) and back.alpha_form == form
    assert back.metadata["exif"] is None


def test_pillow_and_opencv_read_the_same():
    pillow = pytest.importorskip("PIL.Image")
    image = weft.read(PHOTO)
    theirs = numpy.asarray(pillow.open(PHOTO)).astype(int)
    assert image.shape == theirs.shape and numpy.abs(image - theirs).mean() < 1.5


def test_conversions_for_a_format(tmp_path):
    image = picture((20, 30, 3), "float32")
    weft.write(tmp_path / "a.png", image[::-1])
    back = weft.read(tmp_path / "a.png")
    assert back.dtype in (numpy.uint8, numpy.uint16)
    assert numpy.abs(back / float(numpy.iinfo(back.dtype).max) - image[::-1]).max() < 0.003
    with pytest.raises(weft.ArgumentError, match="alpha"):
        weft.write(tmp_path / "a.jpg", picture((8, 8, 4)), alpha_form="straight")
    weft.write(tmp_path / "q.jpg", picture((64, 64, 3)), quality=5)
    weft.write(tmp_path / "r.jpg", picture((64, 64, 3)), quality=95)
    assert os.path.getsize(tmp_path / "q.jpg") < os.path.getsize(tmp_path / "r.jpg") / 2
    with pytest.raises(weft.Error, match="qality"):
        weft.write(tmp_path / "s.jpg", picture((8, 8, 3)), qality=5)
    assert not os.path.exists(tmp_path / "s.jpg")


def test_metadata_go_along(tmp_path):
    image = weft.read(PHOTO)
    image.metadata["resolution"] = (300.0, 300.0)
    weft.write(tmp_path / "a.png", image)
    assert weft.read(tmp_path / "a.png").metadata["resolution"] == pytest.approx((300, 300), abs=0.1)


def test_filter_files(tmp_path):
    assert weft.filter_files(PHOTO, "gaussian=4,sobel", tmp_path / "edges.png", device="cpu") == []
    assert numpy.array_equal(weft.read(tmp_path / "edges.png"), weft.graph("gaussian=4,sobel")(weft.read(PHOTO))[..., 0])
    mean, = weft.filter_files([PHOTO], "reduce=mean", device="cpu")
    assert mean == pytest.approx(weft.reduce(weft.read(PHOTO)), abs=1e-6)
    with pytest.raises(weft.GraphError):
        weft.filter_files(PHOTO, "gausian", tmp_path / "x.png")
    with pytest.raises(weft.FileError):
        weft.filter_files(tmp_path / "none.png", "invert", tmp_path / "x.png")
    assert os.listdir(tmp_path) == ["edges.png"]
    assert any(name == "png" for name, *_ in weft.formats())


def test_the_tool(tmp_path):
    told = subprocess.run([sys.executable, "-m", "pyweft", "--version"], capture_output=True, text=True)
    assert told.stdout == f"weft {weft.__version__}\n"
    told = subprocess.run([sys.executable, "-m", "pyweft", "run", PHOTO, "invert", str(tmp_path / "a.png")])
    assert told.returncode == 0
    assert numpy.array_equal(weft.read(tmp_path / "a.png"), weft.invert(weft.read(PHOTO)))


def test_names_of_files_are_any_bytes(tmp_path, color):
    """What the system calls a file need not be Unicode; bytes, text and pathlib name the same one."""
    name = os.fsencode(tmp_path) + b"/\xff\xe4 [1].png"
    for path in (name, os.fsdecode(name), pathlib.Path(os.fsdecode(name))):
        weft.write(path, color)
        assert numpy.array_equal(weft.read(path), color) and os.path.exists(name)
        os.unlink(name)
    weft.write(tmp_path / "in.png", color)
    weft.filter_files(os.fsencode(tmp_path / "in.png"), "invert", os.fsencode(tmp_path) + b"/\xff.png")
    assert numpy.array_equal(weft.read(os.fsencode(tmp_path) + b"/\xff.png"), 255 - color)
    for path in (3, None, "a\0.png", b"a\0.png"):
        for call in (lambda: weft.read(path), lambda: weft.write(path, color),
                     lambda: weft.filter_files([path], "invert", "out.png")):
            with pytest.raises(weft.ArgumentError):
                call()


def test_what_is_written_may_be_of_any_kind(tmp_path, color):
    image = pytest.importorskip("PIL.Image")
    alpha = numpy.dstack([color, color[..., :1]])
    for given, want in ((image.fromarray(color), color), (image.fromarray(alpha), alpha), (memoryview(color), color)):
        weft.write(tmp_path / "out.png", given)
        found = weft.read(tmp_path / "out.png")
        assert numpy.array_equal(found, want) and found.alpha_form == ("straight" if want is alpha else None)
    for given in (None, 3, "text", [[1, 2]]):
        with pytest.raises(weft.Error):
            weft.write(tmp_path / "out.png", given)


def test_text_of_graphs_is_text():
    for text in (3, b"gaussian", ["gaussian"]):
        with pytest.raises(weft.ArgumentError, match="text"):
            weft.graph(text)
    with pytest.raises(weft.GraphError, match="Unicode"):
        weft.graph("gaussian\udcff")
