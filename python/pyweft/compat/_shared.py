# SPDX-License-Identifier: MIT
"""What the drop-ins share: which arrays they take, what borders are called, and sums of weighted neighbors."""

import numpy

from .. import _filters as weft
from .._errors import ArgumentError, FormatError, UnsupportedError
from .._graph import input as _input

FULL = {"uint8": 255.0, "float32": 1.0}  # what is 1 in weft
# What lies outside, as OpenCV's numbers and as SciPy's words.
BORDERS = {
    0: "constant", 1: "replicate", 2: "symmetric", 3: "wrap", 4: "mirror",
    "constant": "constant", "nearest": "replicate", "reflect": "symmetric", "wrap": "wrap", "mirror": "mirror",
    "grid-constant": "constant", "grid-mirror": "symmetric", "grid-wrap": "wrap",
}


def border_of(name, what, refused=()):
    """weft's name of a border."""
    if name not in BORDERS or name in refused:
        raise UnsupportedError(f"{what}={name!r} is none of the borders that can be had here: "
                               f"{', '.join(str(key) for key in BORDERS if type(key) is type(name) and key not in refused)}")
    return BORDERS[name]


def image_of(array, name="src", channels=(1, 2, 3, 4), types=("uint8", "float32")):
    """The array as numpy's, of height x width or height x width x channels."""
    seen = numpy.asarray(array)
    if seen.dtype.name not in types:
        raise FormatError(f"{name} is of {seen.dtype}; this function takes {' and '.join(types)}, since results of other types "
                          "would differ from the original's")
    if seen.ndim not in (2, 3) or 0 in seen.shape:
        raise FormatError(f"{name} has the shape {seen.shape}; an image is height x width or height x width x channels")
    if (seen.shape[2] if seen.ndim == 3 else 1) not in channels:
        raise FormatError(f"{name} has {seen.shape[2]} channels; this function takes {' or '.join(map(str, channels))}")
    return seen


def odd(size, what):
    """Half of an odd size."""
    if size < 1 or size % 2 == 0:
        raise UnsupportedError(f"{what} is {size}, but must be odd and at least 1")
    return size // 2


def centered(weights, middle):
    """A list of weights with zeros at its ends, so that `middle` is the middle one."""
    reach = max(middle, len(weights) - 1 - middle)
    wide = numpy.zeros(2 * reach + 1)
    wide[reach - middle:reach - middle + len(weights)] = weights
    return wide


def options_of(border, value, full):
    return {"border": border, "border_value": value / full}


def weighted(image, terms, border, value=0.0, delta=0.0, dtype=None, gain=1.0):
    """A sum of terms, each a row and a column of weights laid over the image, and delta. `dtype` is the result's component type;
    its numbers are those of the image: 255 of uint8 is 255.0 of float32."""
    full, into = FULL[image.dtype.name], FULL[dtype or image.dtype.name]
    options, share = options_of(border, value, full), gain * full / into
    node = total = _input()
    for i, (row, column) in enumerate(terms):
        term = node.correlate_separable(row=tuple(numpy.multiply(row, share)), column=tuple(column), **options)
        total = total.sum_of(term) if i else term
    if delta:
        total = total.convolve3x3(bias=delta / into)
    return whole_channels(total, image, dtype=dtype)


def whole_channels(node, *images, dtype=None, **options):
    """Runs a node's graph on images whose last channel is one like the others. A fourth channel that point filters would keep as
    it is, and that of two, go as planes."""
    first = images[0]
    if first.ndim == 3 and first.shape[2] in (2, 4):
        planes = [numpy.moveaxis(image, 2, 0) for image in images]
        made = node(*planes, layout="HW", dtype=dtype, alpha_form="none", **options)
        return numpy.ascontiguousarray(numpy.moveaxis(plain(made), 0, 2))
    return plain(node(*images, dtype=dtype, alpha_form="none", **options))


def plain(result):
    """numpy's own array, not weft's image."""
    return result.view(numpy.ndarray) if isinstance(result, numpy.ndarray) else result


def refuse(condition, words):
    if condition:
        raise UnsupportedError(words)


def demand(condition, words):
    if not condition:
        raise ArgumentError(words)


__all__ = ["BORDERS", "FULL", "border_of", "centered", "demand", "image_of", "odd", "options_of", "plain", "refuse", "weft",
           "weighted", "whole_channels"]
