# SPDX-License-Identifier: MIT
"""OpenCV's morphology: rectangles, crosses and ellipses about their middle."""

import functools

import numpy

from ._cv2_shared import BORDER_CONSTANT, anchor_of, border_type, deliver, level, pair, source
from ._shared import FULL, demand, options_of, plain, refuse, weft, whole_channels
from .._graph import input as _input

MORPH_RECT, MORPH_CROSS, MORPH_ELLIPSE = range(3)
MORPH_ERODE, MORPH_DILATE, MORPH_OPEN, MORPH_CLOSE, MORPH_GRADIENT, MORPH_TOPHAT, MORPH_BLACKHAT = range(7)
SHAPES = {MORPH_RECT: "rectangle", MORPH_CROSS: "cross", MORPH_ELLIPSE: "ellipse"}
LARGEST_SHAPE = 100  # radius of crosses and ellipses


@functools.lru_cache(64)
def _element(shape, width, height):
    """What weft's shape covers, by dilating a point."""
    point = numpy.zeros((height, width), "uint8")
    point[height // 2, width // 2] = 255
    made = weft.structure(point, "dilate", shape, width // 2, height // 2, border="shrink")
    return plain(made) // 255


def getStructuringElement(shape, ksize, anchor=(-1, -1)):
    """The array of a rectangle, a cross or an ellipse."""
    width, height = pair(ksize, "ksize")
    demand(shape in SHAPES and width > 0 and height > 0, "shape must be MORPH_RECT, MORPH_CROSS or MORPH_ELLIPSE, ksize above 0")
    if shape == MORPH_RECT or (width == 1 and height == 1):
        return numpy.ones((height, width), "uint8")
    refuse(anchor_of(anchor, width, height) != (width // 2, height // 2) or width % 2 == 0 or height % 2 == 0,
           "crosses and ellipses have odd sides and lie about their middle")
    if shape == MORPH_ELLIPSE and height == 1:  # OpenCV's has its middle only
        return (numpy.arange(width) == width // 2).astype("uint8")[None]
    refuse(max(width, height) > 2 * LARGEST_SHAPE + 1, f"crosses and ellipses have a radius of at most {LARGEST_SHAPE}")
    return _element(SHAPES[shape], width, height).copy()


def _find(kernel, anchor, iterations):
    """(shape, radius along x, along y, how often) of a kernel."""
    if kernel is None:
        kernel = numpy.ones((3, 3), "uint8")
    kernel = numpy.atleast_2d(numpy.asarray(kernel)) != 0
    height, width = kernel.shape
    demand(kernel.any(), "the kernel is empty")
    x, y = anchor_of(anchor, width, height)
    refuse(width != 2 * x + 1 or height != 2 * y + 1,
           f"a kernel of {width} x {height} about {(x, y)}; kernels have odd sides and lie about their middle")
    while x and not kernel[:, [0, -1]].any():
        kernel, x = kernel[:, 1:-1], x - 1
    while y and not kernel[[0, -1]].any():
        kernel, y = kernel[1:-1], y - 1
    height, width = kernel.shape
    if kernel.all():
        return "rectangle", x * iterations, y * iterations, 1
    for shape in ("cross", "ellipse"):
        if max(x, y) <= LARGEST_SHAPE and numpy.array_equal(kernel, _element(shape, width, height) != 0):
            return shape, x, y, iterations
    refuse(True, "the kernel is no rectangle, no cross and no ellipse of getStructuringElement")


def _add(node, op, found, options):
    shape, x, y, often = found
    for _ in range(often):
        if shape == "rectangle":
            node = getattr(node, op)(radius=x, radius_y=y, **options)
        else:
            node = node.structure(op=op, shape=shape, radius=x, radius_y=y, **options)
    return node


def morphologyEx(src, op, kernel, dst=None, anchor=(-1, -1), iterations=1, borderType=BORDER_CONSTANT, borderValue=None):
    """Dilation, erosion, and what is made of them. By default what is outside counts for nothing."""
    image = source(src)
    demand(op in range(7), f"op={op} is none of MORPH_ERODE, _DILATE, _OPEN, _CLOSE, _GRADIENT, _TOPHAT, _BLACKHAT")
    demand(iterations >= 1, "iterations must be 1 or more")
    border = border_type(borderType)
    options = {"border": "shrink"}
    if border != "constant":
        options = {"border": border}
    elif borderValue is not None:
        options = options_of(border, level(borderValue, image), FULL[image.dtype.name])
    found = _find(kernel, anchor, iterations)
    begin = _input()
    larger = lambda node: _add(node, "dilate", found, options)
    smaller = lambda node: _add(node, "erode", found, options)
    node = {MORPH_ERODE: lambda: smaller(begin), MORPH_DILATE: lambda: larger(begin), MORPH_OPEN: lambda: larger(smaller(begin)),
            MORPH_CLOSE: lambda: smaller(larger(begin)),
            MORPH_GRADIENT: lambda: larger(begin).difference_of(smaller(begin)),
            MORPH_TOPHAT: lambda: begin.difference_of(larger(smaller(begin))),
            MORPH_BLACKHAT: lambda: smaller(larger(begin)).difference_of(begin)}[op]()
    return deliver(whole_channels(node, image), dst)


def dilate(src, kernel, dst=None, anchor=(-1, -1), iterations=1, borderType=BORDER_CONSTANT, borderValue=None):
    """The largest value under the kernel."""
    return morphologyEx(src, MORPH_DILATE, kernel, dst, anchor, iterations, borderType, borderValue)


def erode(src, kernel, dst=None, anchor=(-1, -1), iterations=1, borderType=BORDER_CONSTANT, borderValue=None):
    """The smallest value under the kernel."""
    return morphologyEx(src, MORPH_ERODE, kernel, dst, anchor, iterations, borderType, borderValue)
