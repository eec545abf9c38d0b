# SPDX-License-Identifier: MIT
"""Files: what the tool reads and writes, with metadata."""

import os

import numpy

from . import _core
from ._errors import ArgumentError
from ._graph import graph


def _settings(options):
    return ",".join(f"{name.replace('_', '-')}={value}" for name, value in options.items())


def _place(path):
    """A path as the system has it, which need not be Unicode."""
    try:
        place = os.fsencode(path)
    except (TypeError, UnicodeError) as error:
        raise ArgumentError(f"a file's path is text, bytes or a pathlib.Path: {error}") from None
    if b"\0" in place:
        raise ArgumentError(f"{path!r} is no path: it holds a character 0")
    return place


def read(path, *, pixel_limit=0, memory_limit=0, **settings):
    """The picture in a file, upright, as a weft.Image whose `metadata` has the color profile, EXIF, XMP, IPTC and
    resolution, and whose `alpha_form` says what its last channel means. Options of the format are keywords, as
    weft.read("in.exr", layer="diffuse"); `pixel_limit` and `memory_limit` refuse files that claim more."""
    return _core.read(_place(path), _settings(settings), pixel_limit, memory_limit)


def write(path, image, *, format=None, metadata=None, alpha_form=None, strip=False, **settings):
    """Writes an image to a file, which appears whole or not at all. It is converted to what the format holds: the nearest
    component type, alpha in the file's form. Metadata are the image's own, from weft.read, unless others are given;
    options of the format are keywords, as weft.write("out.jpg", image, quality=90)."""
    place, format, settings, image = _place(path), format or "", _settings(settings), _array(image)
    metadata = metadata if metadata is not None else getattr(image, "metadata", None)
    dtype, channels, form, had, direct = _core.accepts(place, format, settings, image, alpha_form)
    seen = getattr(image, "dtype", None)
    have = 1 if len(image.shape) == 2 else image.shape[2]
    if form != had and have in (2, 4) and channels in (1, 3):
        raise ArgumentError(f"{path} holds no alpha: leave the last channel out, or put the picture on a background")
    if str(seen) != dtype or form != had or channels != have or not direct:
        image = _converted(image, dtype, channels, have, form, had)
    _core.write(place, image, form, format, settings, metadata, strip)


def _array(image):
    """What has no shape, as Pillow's images, as an array that knows what its alpha is."""
    from . import _arrays

    if hasattr(image, "shape"):
        return image
    adapter = _arrays.find(image)
    seen = adapter.array(image, "the image") if isinstance(adapter, _arrays.HostAdapter) else numpy.asarray(image)
    seen = seen.view(_arrays.Image)
    if adapter.has_alpha(image):
        seen.alpha_form = "straight"
    return seen


def _converted(image, dtype, channels, have, form, had):
    text = "split"
    if form == "premultiplied" and had == "straight":
        text = "premultiply"
    elif form == "straight" and had == "premultiplied":
        text = "unpremultiply"
    result = graph(text)(image, dtype=dtype, alpha_form="none" if text != "split" else had)
    if have == 1 and channels == 3:
        result = numpy.repeat(numpy.atleast_3d(result), 3, axis=2)
    return result


def _pair(path):
    """A path, or a path with options in brackets behind it, as the tool takes them."""
    path = os.fsdecode(_place(path))
    if path.endswith("]") and "[" in path:
        path, _, options = path[:-1].rpartition("[")
        return os.fsencode(path), options
    return os.fsencode(path), None


def filter_files(inputs, text, outputs=(), *, dtype=None, device=None, memory=0, strip=False):
    """Files through a graph into files. Rows go from file to file where the graph allows it, so pictures may be larger
    than memory. Options of formats follow names in brackets: "out.jpg[quality=90]". Returns the numbers of reductions,
    an array for each."""
    one = (str, bytes, os.PathLike)
    inputs = [inputs] if isinstance(inputs, one) else list(inputs)
    outputs = [outputs] if isinstance(outputs, one) else list(outputs)
    found = _core.filter_files([_pair(path) for path in inputs], text, [(*_pair(path), dtype) for path in outputs], device,
                               memory, strip)
    arrays = [numpy.array(numbers).reshape([n for n in shape if n > 1]) for *shape, numbers in found]
    return [array if array.ndim else float(array) for array in arrays]


def formats():
    """Of each file format its name, extensions, and whether it is read and written."""
    return _core.formats()
