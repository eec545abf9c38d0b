# SPDX-License-Identifier: MIT
"""OpenCV's filters that weigh neighbors."""

import math

import numpy

from ._cv2_shared import (BORDER_DEFAULT, CV_16S, CV_32F, CV_64F, CV_8U, anchor_of, border_type, cast, deliver, depth, pair, source)
from ._shared import FULL, centered, demand, options_of, refuse, weft, weighted, whole_channels
from .._graph import input as _input

FILTER_SCHARR = -1
LARGEST_KERNEL = 31
# What OpenCV takes for gaussians whose sigma is left open.
SMALL_GAUSSIANS = {1: [1], 3: [0.25, 0.5, 0.25], 5: [0.0625, 0.25, 0.375, 0.25, 0.0625],
                   7: [0.03125, 0.109375, 0.21875, 0.28125, 0.21875, 0.109375, 0.03125],
                   9: [4 / 256, 13 / 256, 30 / 256, 51 / 256, 60 / 256, 51 / 256, 30 / 256, 13 / 256, 4 / 256]}


def _gaussian(size, sigma):
    if sigma <= 0 and size in SMALL_GAUSSIANS:
        return numpy.array(SMALL_GAUSSIANS[size], float)
    sigma = sigma if sigma > 0 else 0.3 * ((size - 1) * 0.5 - 1) + 0.8
    weights = numpy.exp(-((numpy.arange(size) - (size - 1) / 2) ** 2) / (2 * sigma * sigma))
    return weights / weights.sum()


def _in_steps(weights, steps=256):
    """The weights that OpenCV takes for uint8: whole steps, what is cut off one being added to the next, up to the middle one,
    which takes what is left of 1."""
    half, left, whole = len(weights) // 2, 0.0, []
    for weight in weights[:half] * steps:
        whole.append(round(weight + left))
        left += weight - whole[-1]
    return numpy.array([*whole, steps - 2 * sum(whole), *whole[::-1]]) / steps


def getGaussianKernel(ksize, sigma, ktype=CV_64F):
    """A column of ksize weights that sum to 1."""
    demand(ksize > 0 and ksize % 2 == 1, f"ksize is {ksize}, but must be odd and above 0")
    refuse(ktype not in (CV_32F, CV_64F), "ktype must be CV_32F or CV_64F")
    return _gaussian(ksize, sigma)[:, None].astype(numpy.float32 if ktype == CV_32F else numpy.float64)


def GaussianBlur(src, ksize, sigmaX, dst=None, sigmaY=0, borderType=BORDER_DEFAULT, hint=0):
    """Blurs by a gaussian of ksize = (width, height); 0 lets sigma choose them. `hint` changes nothing."""
    image, border = source(src), border_type(borderType)
    sigma = (float(sigmaX), float(sigmaY) if sigmaY > 0 else float(sigmaX))
    reach = 3 if image.dtype == numpy.uint8 else 4
    size = [n if n > 0 or s <= 0 else round(s * reach * 2 + 1) | 1 for n, s in zip(pair(ksize, "ksize"), sigma)]
    demand(all(n > 0 and n % 2 for n in size), f"ksize={tuple(ksize)} must be odd, or 0 beside a sigma above 0")
    row, column = (_gaussian(n, s) for n, s in zip(size, sigma))
    if image.dtype == numpy.uint8:
        row, column = _in_steps(row), _in_steps(column)
    return deliver(weighted(image, [(row, column)], border), dst)


def boxFilter(src, ddepth, ksize, dst=None, anchor=(-1, -1), normalize=True, borderType=BORDER_DEFAULT):
    """The mean, or without normalize the sum, of the rectangle around each pixel."""
    image, border = source(src), border_type(borderType)
    width, height = pair(ksize, "ksize")
    demand(width > 0 and height > 0, f"ksize={tuple(ksize)} must be above 0")
    x, y = anchor_of(anchor, width, height)
    make, into = depth(image, ddepth)
    if normalize and make == image.dtype and width == 2 * x + 1 and height == 2 * y + 1:
        return deliver(weft.box(image, x, y, border=border, alpha_form="none"), dst)
    share = width * height if normalize else 1
    row, column = centered(numpy.ones(width), x), centered(numpy.full(height, 1 / share), y)
    return deliver(cast(weighted(image, [(row, column)], border, dtype=make), into), dst)


def blur(src, ksize, dst=None, anchor=(-1, -1), borderType=BORDER_DEFAULT):
    """The mean of the rectangle around each pixel."""
    return boxFilter(src, -1, ksize, dst, anchor, True, borderType)


def medianBlur(src, ksize, dst=None):
    """The middle value of the square around each pixel."""
    image = source(src)
    demand(ksize > 1 and ksize % 2 == 1, f"ksize is {ksize}, but must be odd and above 1")
    demand(image.dtype == numpy.uint8 or ksize <= 5, "OpenCV takes float32 with a ksize of 3 or 5 only")
    return deliver(weft.median(image, ksize // 2, border="replicate", alpha_form="none"), dst)


def bilateralFilter(src, d, sigmaColor, sigmaSpace, dst=None, borderType=BORDER_DEFAULT):
    """A mean of the pixels within d / 2, of which near ones of similar color count more; the image itself where a sigma is not
    above 0."""
    image = source(src, channels=(1, 3))
    color, space = float(sigmaColor), float(sigmaSpace)
    if min(color, space) <= numpy.finfo("float32").eps:
        border_type(borderType)
        return deliver(image.copy(), dst)
    radius = max(d // 2 if d > 0 else round(space * 1.5), 1)
    return deliver(weft.bilateral(image, space, color / FULL[image.dtype.name], radius, border=border_type(borderType),
                                  alpha_form="none"), dst)


def sepFilter2D(src, ddepth, kernelX, kernelY, dst=None, anchor=(-1, -1), delta=0, borderType=BORDER_DEFAULT):
    """Weighs a row, then a column of neighbors."""
    image, border = source(src), border_type(borderType)
    row, column = (numpy.asarray(kernel, float).ravel() for kernel in (kernelX, kernelY))
    x, y = anchor_of(anchor, len(row), len(column))
    make, into = depth(image, ddepth)
    return deliver(cast(weighted(image, [(centered(row, x), centered(column, y))], border, 0, delta, make), into), dst)


def filter2D(src, ddepth, kernel, dst=None, anchor=(-1, -1), delta=0, borderType=BORDER_DEFAULT):
    """Weighs the neighbors by a kernel of at most 31 x 31, unflipped."""
    image, border = source(src), border_type(borderType)
    kernel = numpy.atleast_2d(numpy.asarray(kernel, float))
    demand(kernel.ndim == 2, "the kernel must have one or two axes")
    if min(kernel.shape) == 1 or (kernel.shape[1] == kernel.shape[0] == 0):
        return sepFilter2D(image, ddepth, *((kernel.ravel(), [1.0]) if kernel.shape[0] == 1 else ([1.0], kernel.ravel())), dst,
                           anchor, delta, borderType)
    x, y = anchor_of(anchor, kernel.shape[1], kernel.shape[0])
    rows = numpy.stack([centered(row, x) for row in kernel])
    wide = numpy.stack([centered(column, y) for column in rows.T], axis=1)
    refuse(max(wide.shape) > LARGEST_KERNEL, f"a kernel of {kernel.shape[1]} x {kernel.shape[0]} about {anchor} reaches farther "
                                             f"than one of {LARGEST_KERNEL} x {LARGEST_KERNEL}")
    make, into = depth(image, ddepth)
    full, result = FULL[image.dtype.name], FULL[make]
    options = options_of(border, 0, full)
    if wide.shape == (3, 3):
        node = _input().convolve3x3(kernel=tuple((wide * (full / result)).ravel()), bias=delta / result, **options)
    else:
        node = _input().convolve(kernel=tuple((wide * (full / result)).ravel()), columns=wide.shape[1], **options)
        node = node.convolve3x3(bias=delta / result) if delta else node
    return deliver(cast(whole_channels(node, image, dtype=make), into), dst)


def _smooth(size):
    """Pascal's triangle."""
    return numpy.array([math.comb(size - 1, k) for k in range(size)], float)


def _derivative(order, ksize):
    """OpenCV's kernel for a derivative of that order, along its axis."""
    if ksize == FILTER_SCHARR:
        demand(order in (0, 1), "the Scharr operator has first derivatives only")
        return numpy.array([-1.0, 0, 1] if order else [3.0, 10, 3])
    size = 3 if ksize == 1 and order > 0 else ksize
    demand(size > order, f"ksize is {ksize}, but must be above the order {order}")
    weights = _smooth(size - order)
    for _ in range(order):
        weights = numpy.convolve(weights, [-1.0, 1.0])
    return weights


def Sobel(src, ddepth, dx, dy, dst=None, ksize=3, scale=1, delta=0, borderType=BORDER_DEFAULT):
    """A derivative of the orders dx and dy, by the Sobel operator; ksize -1 is Scharr's."""
    image, border = source(src), border_type(borderType)
    demand(dx >= 0 and dy >= 0 and dx + dy > 0, "dx and dy must not be below 0, and one of them above")
    demand(ksize == FILTER_SCHARR or (ksize % 2 == 1 and 1 <= ksize <= 31), f"ksize is {ksize}, but must be -1 or odd, to 31")
    demand(ksize != FILTER_SCHARR or dx + dy == 1, "the Scharr operator has first derivatives only")
    make, into = depth(image, ddepth)
    terms = [(_derivative(dx, ksize), _derivative(dy, ksize))]
    return deliver(cast(weighted(image, terms, border, 0, delta, make, scale), into), dst)


def Scharr(src, ddepth, dx, dy, dst=None, scale=1, delta=0, borderType=BORDER_DEFAULT):
    """A first derivative by the Scharr operator."""
    return Sobel(src, ddepth, dx, dy, dst, FILTER_SCHARR, scale, delta, borderType)


def Laplacian(src, ddepth, dst=None, ksize=1, scale=1, delta=0, borderType=BORDER_DEFAULT):
    """The sum of the second derivatives."""
    image, border = source(src), border_type(borderType)
    demand(ksize % 2 == 1 and 1 <= ksize <= 31, f"ksize is {ksize}, but must be odd, from 1 to 31")
    if ksize <= 3:
        kernel = [[0, 1, 0], [1, -4, 1], [0, 1, 0]] if ksize == 1 else [[2, 0, 2], [0, -8, 0], [2, 0, 2]]
        return filter2D(image, ddepth, numpy.multiply(kernel, scale), dst, (-1, -1), delta, borderType)
    make, into = depth(image, ddepth)
    second, smooth = _derivative(2, ksize), _derivative(0, ksize)
    return deliver(cast(weighted(image, [(second, smooth), (smooth, second)], border, 0, delta, make, scale), into), dst)
