# SPDX-License-Identifier: MIT
"""SciPy's filters of scipy.ndimage, made by weft: `from pyweft.compat import ndimage`. Arrays are numpy's of uint8 or float32, of
two axes; of three where only two neighboring ones are filtered, as with sigma=(2, 2, 0) or axes=(0, 1), and the last has up to 4.

Results of float32 are within 1e-5 of the range of the numbers. SciPy cuts fractions off where results are of uint8, after each
axis; weft's are within one step of that. Arguments whose result would differ raise weft.UnsupportedError."""

import numpy

from .._graph import graph as _graph
from .._graph import input as _input
from ._ndimage_shared import Image, border, deliver, filtered, outside, pairs
from ._shared import FULL, border_of, centered, demand, odd, plain, refuse

__all__ = ["convolve", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d", "grey_dilation", "grey_erosion",
           "laplace",
           "map_coordinates", "maximum_filter", "median_filter", "minimum_filter", "sobel", "uniform_filter", "zoom"]
CUT = 0.75  # of a step, which brings what is rounded within one of what SciPy cuts off twice


def _weigh(image, lines, options, output, positive):
    """Pairs of an axis, 0 or 1, and weights along it, one after the other. Of uint8 SciPy cuts fractions off and lets what is
    outside 0 to 255 begin anew."""
    kind, full = image.kind(output), FULL[image.array.dtype.name]
    wraps = kind == "uint8" and not positive
    refuse(wraps and any((numpy.asarray(weights) % 1 != 0).any() for _, weights in lines),
           "weights that are not whole, with a result of uint8, which SciPy lets begin anew outside 0 to 255: "
           "take output=numpy.float32")
    refuse(wraps and options["border"] == "constant" and options["border_value"] * full % 1 != 0,
           "a cval that is not whole, with a result of uint8, whose fractions SciPy cuts off between the axes: "
           "take output=numpy.float32")
    share = full / FULL["float32" if wraps else kind]
    node = _input()
    # SciPy's second axis sees cval outside, not what the first axis makes of it.
    apart = options["border"] == "constant" and options["border_value"] != 0 and len(lines) > 1
    for group in [[line] for line in lines] if apart else [lines]:
        both = [numpy.ones(1), numpy.ones(1)]
        for axis, weights in group:
            both[axis] = numpy.asarray(weights, float)
        node = node.correlate_separable(row=tuple(both[1]), column=tuple(both[0]), **options)
    if share != 1:
        node = node.convolve3x3(kernel=(0, 0, 0, 0, share, 0, 0, 0, 0))
    if wraps:
        return deliver(numpy.rint(image.run(node, "float32")).astype("int64").astype("uint8"), output)
    if kind == "uint8":
        node = node.brightness(-CUT / 255)
    return deliver(image.run(node, kind), output)


def _gaussian(sigma, order, radius):
    x = numpy.arange(-radius, radius + 1)
    weights = numpy.exp(-0.5 / (sigma * sigma) * x ** 2)
    weights /= weights.sum()
    if order == 0:
        return weights
    # The derivative of q(x) exp(-x^2 / 2 sigma^2) has the factor q' - x q / sigma^2.
    factor = numpy.polynomial.Polynomial([1.0])
    for _ in range(order):
        factor = factor.deriv() + factor * numpy.polynomial.Polynomial([0, -1 / (sigma * sigma)])
    return (factor(x) * weights)[::-1]


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    image, sigmas = filtered(input, axes, "sigma", sigma, (0,))
    orders, radii = pairs(order, image.axes, 0, "order"), pairs(radius, image.axes, 0, "radius")
    lines = []
    for value, which, reach in zip(sigmas, orders, radii):
        demand(value == value, f"sigma is {sigma}, but must be a number")
        reach = int(truncate * float(value) + 0.5) if reach is None else int(reach)
        lines.append(_gaussian(float(value), which, reach) if value > 1e-15 else numpy.ones(1))
    return _weigh(image, list(enumerate(lines)), border(mode, cval, image), output, not any(orders))


def _line(input, weights, axis, output, mode, cval, origin, positive):
    seen = numpy.asarray(input)
    demand(-seen.ndim <= axis < seen.ndim, f"axis {axis} of {seen.ndim}")
    axis %= seen.ndim
    neighbor = axis + 1 if axis + 1 < seen.ndim and (axis + 2 < seen.ndim or seen.ndim == 2) else axis - 1
    if seen.ndim > 2 and axis == seen.ndim - 2:
        neighbor = axis + 1 if seen.shape[-1] > 4 else axis - 1
    image = Image(seen, tuple(sorted((axis, neighbor))))
    weights = numpy.asarray(weights, float)
    demand(weights.ndim == 1 and len(weights) > 0, "weights must have one axis")
    middle = len(weights) // 2 + origin
    demand(0 <= middle < len(weights), f"origin {origin} lies outside {len(weights)} weights")
    lines = [(image.axes.index(axis), centered(weights, middle))]
    return _weigh(image, lines, border(mode, cval, image), output, positive)


def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    demand(sigma == sigma, f"sigma is {sigma}, but must be a number")
    reach = int(truncate * float(sigma) + 0.5) if radius is None else int(radius)
    return _line(input, _gaussian(float(sigma), order, reach), axis, output, mode, cval, 0, order == 0)


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    weights = numpy.asarray(weights, float)
    return _line(input, weights, axis, output, mode, cval, origin, (weights >= 0).all() and weights.sum() <= 1)


def _kernel(input, weights, output, mode, cval, axes):
    image = Image(input, axes)
    kind, full = image.kind(output), FULL[image.array.dtype.name]
    wraps = kind == "uint8"
    refuse(wraps and (weights % 1 != 0).any(), "weights that are not whole, with a result of uint8, which SciPy lets begin anew "
                                               "outside 0 to 255: take output=numpy.float32")
    make = "float32" if wraps else kind
    scaled = weights * (full / FULL[make])
    if weights.shape == (3, 3):
        node = _input().convolve3x3(kernel=tuple(scaled.ravel()), **border(mode, cval, image))
    else:
        refuse(max(weights.shape) > 31, f"weights of {weights.shape} reach farther than 31 x 31")
        node = _input().convolve(kernel=tuple(scaled.ravel()), columns=weights.shape[1], **border(mode, cval, image))
    made = image.run(node, make)
    return deliver(numpy.rint(made).astype("int64").astype("uint8") if wraps else made, output)


def _laid_out(weights, origin, axes):
    weights = numpy.asarray(weights, float)
    refuse(weights.ndim != 2, f"weights of {weights.ndim} axes; weft filters two")
    y, x = (size // 2 + shift for size, shift in zip(weights.shape, pairs(origin, (0, 1), 2, "origin")))
    demand(0 <= y < weights.shape[0] and 0 <= x < weights.shape[1], f"origin {origin} lies outside the weights")
    rows = numpy.stack([centered(row, x) for row in weights])
    return numpy.stack([centered(column, y) for column in rows.T], axis=1)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _kernel(input, _laid_out(weights, origin, axes), output, mode, cval, axes)


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    weights = numpy.asarray(weights, float)
    refuse(weights.ndim != 2, f"weights of {weights.ndim} axes; weft filters two")
    origins = [-shift - (size % 2 == 0) for shift, size in zip(pairs(origin, (0, 1), 2, "origin"), weights.shape)]
    return _kernel(input, _laid_out(weights[::-1, ::-1], origins, axes), output, mode, cval, axes)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    image = Image(input)
    demand(-2 <= axis < 2, f"axis {axis} of 2")
    lines = [(axis % 2, (-1.0, 0, 1)), ((axis + 1) % 2, (1.0, 2, 1))]
    return _weigh(image, lines, border(mode, cval, image), output, False)


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    return _kernel(input, numpy.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]), output, mode, cval, axes)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image, sizes = filtered(input, axes, "size", size, (1,))
    origins = pairs(origin, image.axes, 0, "origin")
    demand(all(value >= 1 for value in sizes), f"size {size} must be at least 1")
    if image.kind(output) == image.array.dtype and all(value % 2 for value in sizes) and not any(origins):
        node = _input().box(radius=sizes[1] // 2, radius_y=sizes[0] // 2, rounding="down", **border(mode, cval, image))
        return deliver(image.run(node), output)
    lines = []
    for value, shift in zip(sizes, origins):
        demand(0 <= value // 2 + shift < value, f"origin {origin} lies outside the size {size}")
        lines.append(centered(numpy.full(value, 1 / value), value // 2 + shift))
    return _weigh(image, list(enumerate(lines)), border(mode, cval, image), output, True)


def _size_of(size, footprint, axes, array, structure=None):
    refuse(structure is not None, "a structure: weft's windows are flat rectangles")
    if footprint is not None:
        shape = numpy.asarray(footprint)
        refuse(not shape.all(), "a footprint that is no rectangle")
        return shape.shape
    demand(size is not None, "size or footprint is missing")
    return size


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    image, sizes = filtered(input, axes, "size", _size_of(size, footprint, axes, input), (1,))
    refuse(sizes[0] != sizes[1] or numpy.any(origin),
           f"size={sizes} and origin={origin}; weft's windows are squares about the pixel")
    kind, around = image.kind(output), border(mode, cval, image)
    refuse(kind != image.array.dtype and around["border"] == "constant" and cval % 1 != 0,
           "a cval that is not whole, of uint8 with a result of float32")
    node = _input().median(radius=odd(sizes[0], "size"), **around)
    return deliver(image.run(node).astype(kind, copy=False), output)


def _extreme(name, input, size, footprint, structure, output, mode, cval, origin, axes):
    image, sizes = filtered(input, axes, "size", _size_of(size, footprint, axes, input, structure), (1,))
    refuse(numpy.any(origin), f"origin={origin}; weft's windows lie about the pixel")
    refuse(image.kind(output) != image.array.dtype, "output of another type than the input's")
    node = getattr(_input(), name)(radius=odd(sizes[1], "size"), radius_y=odd(sizes[0], "size"), **border(mode, cval, image))
    return deliver(image.run(node), output)


def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extreme("dilate", input, size, footprint, structure, output, mode, cval, origin, axes)


def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extreme("erode", input, size, footprint, structure, output, mode, cval, origin, axes)


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extreme("dilate", input, size, footprint, None, output, mode, cval, origin, axes)


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extreme("erode", input, size, footprint, None, output, mode, cval, origin, axes)


def _places(image, places, order, mode, cval, output):
    """Looks where the map says: columns in its first channel, rows in its second."""
    refuse(order not in (0, 1), f"order={order}; there are 0 and 1")
    # SciPy's constant ends at the outermost centers, weft's fades towards it; its reflections of places between pixels are alike.
    refuse(mode in ("constant", "wrap"),
           f"mode={mode!r}, which differs at the image's edges: take nearest, mirror, reflect, grid-wrap or "
                                         "grid-constant")
    kind = image.kind(output)
    refuse(kind != image.array.dtype, "output of another type than the input's")
    nodes = [_input(), _input()]
    node = nodes[0].remap(nodes[1], interpolation="bilinear" if order else "nearest", **border(mode, cval, image))
    node = node.convolve3x3(bias=-0.5 / 255) if kind == "uint8" and order else node
    return deliver(plain(node(image.array, places, alpha_form="none")), output)


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    image, where = Image(input), numpy.asarray(coordinates)
    demand(where.shape[0] == 2, f"coordinates has {where.shape[0]} rows for 2 axes")
    shape = where.shape[1:]
    rows, columns = (numpy.atleast_2d(part.astype("float32")) for part in where)
    refuse(rows.ndim != 2, "coordinates of more than two axes")
    places = numpy.stack([columns, rows, numpy.zeros_like(rows)], axis=2)
    made = _places(image, places, order, mode, cval, None if output is None else image.kind(output))
    return deliver(made.reshape(shape), output)


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    image = Image(input)
    factors = pairs(zoom, image.axes, 2, "zoom")
    refuse(order != 1 or grid_mode, f"order={order} and grid_mode={grid_mode}; there is order 1 from corner to corner")
    tall, wide = image.array.shape
    height, width = (int(round(side * factor)) for side, factor in zip((tall, wide), factors))
    demand(height > 0 and width > 0, "the result would have no pixels")
    refuse(mode == "wrap", "mode='wrap', whose last pixel is the first")
    cval = outside(cval, border_of(mode, "mode"), image.array)  # of what rounding puts outside; all places lie inside else
    down, across = ((before - 1) / (after - 1) if after > 1 else 0.0 for before, after in ((tall, height), (wide, width)))
    kind = image.kind(output)
    refuse(kind != image.array.dtype, "output of another type than the input's")
    seen = _input()
    places = seen.pad(right=width - wide, bottom=height - tall, border="replicate").place_map()
    places = places.color_matrix(matrix=(across, 0, 0, 0, 0, down, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))
    node = seen.remap(places, interpolation="bilinear", border="replicate")
    node = node.convolve3x3(bias=-0.5 / 255) if kind == "uint8" else node
    made = plain(_graph(node)(image.array, alpha_form="none"))
    if mode == "constant":  # SciPy takes the last place for outside where its rounding puts it there
        made[height - (down * (height - 1) > tall - 1):] = cval
        made[:, width - (across * (width - 1) > wide - 1):] = cval
    return deliver(made, output)
