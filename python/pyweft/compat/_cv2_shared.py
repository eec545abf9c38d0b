# SPDX-License-Identifier: MIT
"""What the drop-ins for OpenCV share: borders, component types, and where results go."""

import numpy

from ._shared import border_of, demand, image_of, plain, refuse

BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101 = range(5)
BORDER_REFLECT101 = BORDER_DEFAULT = BORDER_REFLECT_101
BORDER_ISOLATED = 16
CV_8U, CV_16S, CV_32F, CV_64F = 0, 3, 5, 6


def border_type(code, wraps=False):
    """weft's name of OpenCV's border. Arrays have nothing around them, so that all are isolated. Filters take no wrapped one."""
    code = BORDER_DEFAULT if code is None else int(code) & ~BORDER_ISOLATED
    return border_of(code, "borderType", () if wraps else (BORDER_WRAP,))


def source(array, name="src", channels=(1, 2, 3, 4), types=("uint8", "float32")):
    """An image; one channel has no axis, as in OpenCV's results."""
    image = image_of(array, name, channels, types)
    return image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image


def deliver(result, dst):
    """The result, in dst where that has its shape and type, as OpenCV does."""
    result = plain(result)
    if isinstance(dst, numpy.ndarray) and dst.dtype == result.dtype and dst.size == result.size and (
            dst.shape == result.shape or dst.shape == (*result.shape, 1)):
        dst[...] = result.reshape(dst.shape)
        return dst
    return result


def depth(image, ddepth):
    """The component type that weft makes, and the one that the result is then cast to."""
    code = -1 if ddepth is None else int(ddepth)
    if code == -1 or (image.dtype == numpy.uint8 and code == CV_8U):
        return image.dtype.name, None
    if code == CV_32F:
        return "float32", None
    refuse(image.dtype != numpy.uint8 or code not in (CV_16S, CV_64F),
           f"ddepth={ddepth} of {image.dtype}; there are -1, CV_8U, CV_16S, CV_32F and CV_64F of uint8, -1 and CV_32F of float32")
    return "float32", numpy.int16 if code == CV_16S else numpy.float64


def cast(result, into):
    if into is numpy.int16:
        return numpy.clip(numpy.rint(result), -32768, 32767).astype(numpy.int16)
    return result if into is None else result.astype(into)


def pair(value, what):
    demand(value is not None and len(value) == 2, f"{what} must be two numbers")
    return int(value[0]), int(value[1])


def anchor_of(anchor, width, height):
    x, y = pair(anchor, "anchor")
    x, y = width // 2 if x == -1 else x, height // 2 if y == -1 else y
    demand(0 <= x < width and 0 <= y < height, f"anchor={anchor} lies outside a kernel of {width} x {height}")
    return x, y


def level(value, image):
    """A border's value, which is one for all channels in weft."""
    numbers = numpy.atleast_1d(numpy.asarray(value if value is not None else 0, float)).ravel()
    channels = image.shape[2] if image.ndim == 3 else 1
    numbers = numpy.concatenate([numbers, numpy.zeros(4)])[:channels]
    refuse((numbers != numbers[0]).any(), f"borderValue={value} has another number for each channel; weft has one for all")
    return float(numbers[0])
