# SPDX-License-Identifier: MIT
"""OpenCV's resize, warps and remap."""

import numpy

from ._cv2_shared import BORDER_CONSTANT, border_type, deliver, level, pair, source
from ._shared import FULL, demand, options_of, plain, refuse, weft
from .._graph import graph as _graph
from .._graph import input as _input

INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA = range(4)
INTER_LINEAR_EXACT, INTER_NEAREST_EXACT = 5, 6
WARP_INVERSE_MAP = 16
CHANNELS = (1, 3, 4)  # of two OpenCV has another linear interpolation, in steps of 1/32 of a pixel
METHODS = {INTER_NEAREST: "nearest", INTER_LINEAR: "bilinear", INTER_CUBIC: "bicubic"}


def _method(code):
    refuse(code not in METHODS, f"interpolation={code} is none of INTER_NEAREST, INTER_LINEAR and INTER_CUBIC")
    return METHODS[code]


def _affine(image, matrix, width, height, **options):
    """Looks for each pixel (x, y) of the result where the matrix of two rows says, in float32 as OpenCV does. The map is made
    while the image is filtered."""
    (a, b, c), (d, e, f) = numpy.asarray(matrix, float)
    seen = _input()
    places = seen.pad(right=width - image.shape[1], bottom=height - image.shape[0], border="replicate").place_map()
    places = places.color_matrix(matrix=(a, b, 0, 0, d, e, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), bias=(c, f, 0, 0))
    return plain(_graph(seen.remap(places, **options))(image, alpha_form="none"))


def _nearest(before, after, scale, interpolation):
    """Which of `before` pixels each of `after` ones is: the one that its left edge is in, or its middle for
    INTER_NEAREST_EXACT."""
    places = numpy.arange(after)
    if interpolation == INTER_NEAREST:
        return numpy.minimum(numpy.floor(places * scale), before - 1).astype(int)
    middle = (2 * places + 1) * before
    refuse(before % after and not (middle % (2 * after)).all(),
           f"INTER_NEAREST_EXACT from {before} to {after} pixels, where middles lie on edges and OpenCV's rounding decides")
    return middle // (2 * after)


def resize(src, dsize, dst=None, fx=0, fy=0, interpolation=INTER_LINEAR):
    """Brings the image to dsize = (width, height), or to fx and fy times its sides."""
    image = source(src)
    tall, wide = image.shape[:2]
    width, height = pair(dsize, "dsize") if dsize is not None else (0, 0)
    whole = width > 0 and height > 0
    if not whole:
        demand(fx > 0 and fy > 0, "dsize, or fx and fy, must be above 0")
        width, height = round(wide * fx), round(tall * fy)
        demand(width > 0 and height > 0, "the result would have no pixels")
        across, down = 1 / fx, 1 / fy
        whole = width == wide * fx and height == tall * fy
    else:
        across, down = 1 / (width / wide), 1 / (height / tall)
    if (width, height) == (wide, tall):
        return deliver(image.copy(), dst)
    if interpolation in (INTER_NEAREST, INTER_NEAREST_EXACT):
        rows, columns = _nearest(tall, height, down, interpolation), _nearest(wide, width, across, interpolation)
        return deliver(numpy.take(image[rows], columns, axis=1), dst)
    if interpolation == INTER_AREA:
        refuse(not whole, "fx and fy that do not fit the size of the result; give dsize")
        refuse(width > wide or height > tall, "INTER_AREA that makes the image larger")
        return deliver(weft.resample(image, width, height, "area", alpha_form="none"), dst)
    linear = interpolation in (INTER_LINEAR, INTER_LINEAR_EXACT)
    refuse(not linear and interpolation != INTER_CUBIC, f"interpolation={interpolation} is none of INTER_NEAREST, INTER_LINEAR, "
                                                        "INTER_CUBIC, INTER_AREA, INTER_LINEAR_EXACT and INTER_NEAREST_EXACT")
    if linear and whole and width >= wide and height >= tall:
        return deliver(weft.resample(image, width, height, "bilinear", alpha_form="none"), dst)
    matrix = [[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5]]
    return deliver(_affine(image, matrix, width, height, interpolation="bilinear" if linear else "bicubic", border="replicate"),
                   dst)


def _lookup(image, flags, border_mode, border_value):
    border, method = border_type(border_mode, wraps=True), _method(flags & ~WARP_INVERSE_MAP)
    refuse(method == "bicubic" and border not in ("constant", "replicate"),
           "INTER_CUBIC with another border than BORDER_CONSTANT and BORDER_REPLICATE, where OpenCV reflects in its own way")
    return {"interpolation": method, **options_of(border, level(border_value, image), FULL[image.dtype.name])}


def _inverse(matrix):
    """Where pixels come from, of where they go."""
    refuse(not numpy.isfinite(matrix).all() or numpy.linalg.det(matrix) == 0, "a matrix that has no inverse")
    return numpy.linalg.inv(matrix)


def warpAffine(src, M, dsize, dst=None, flags=INTER_LINEAR, borderMode=BORDER_CONSTANT, borderValue=0, hint=0):
    """Moves pixels by a matrix of 2 x 3; with WARP_INVERSE_MAP it says where a pixel comes from."""
    image, matrix = source(src, channels=CHANNELS), numpy.asarray(M, float)
    demand(matrix.shape == (2, 3), f"M has the shape {matrix.shape}, but must be 2 x 3")
    options = _lookup(image, flags, borderMode, borderValue)
    refuse(options["interpolation"] == "nearest", "INTER_NEAREST: which of two pixels is nearer hangs on OpenCV's rounding")
    if not flags & WARP_INVERSE_MAP:
        matrix = _inverse(numpy.vstack([matrix, [0, 0, 1]]))[:2]
    return deliver(_affine(image, matrix, *_size(dsize, image), **options), dst)


def _size(dsize, image):
    width, height = pair(dsize, "dsize")
    return (width, height) if width > 0 and height > 0 else (image.shape[1], image.shape[0])


def warpPerspective(src, M, dsize, dst=None, flags=INTER_LINEAR, borderMode=BORDER_CONSTANT, borderValue=0, hint=0):
    """Moves pixels by a matrix of 3 x 3; with WARP_INVERSE_MAP it says where a pixel comes from."""
    image, matrix = source(src, channels=CHANNELS), numpy.asarray(M, float)
    demand(matrix.shape == (3, 3), f"M has the shape {matrix.shape}, but must be 3 x 3")
    options = _lookup(image, flags, borderMode, borderValue)
    refuse(options["interpolation"] == "nearest", "INTER_NEAREST: which of two pixels is nearer hangs on OpenCV's rounding")
    matrix = matrix if flags & WARP_INVERSE_MAP else _inverse(matrix)
    width, height = _size(dsize, image)
    x, y = numpy.arange(width, dtype=float), numpy.arange(height, dtype=float)[:, None]
    share = matrix[2, 0] * x + (matrix[2, 1] * y + matrix[2, 2])
    share = numpy.divide(1, share, out=numpy.zeros_like(share), where=share != 0)
    places = numpy.zeros((height, width, 3), "float32")
    for k in range(2):
        places[..., k] = (matrix[k, 0] * x + (matrix[k, 1] * y + matrix[k, 2])) * share
    return deliver(weft.remap(image, places, **options, alpha_form="none"), dst)


def remap(src, map1, map2, interpolation, dst=None, borderMode=BORDER_CONSTANT, borderValue=0, hint=0):
    """Takes each pixel from where the maps say: x and y as float32, in one array of two channels or in two arrays."""
    image = source(src, channels=CHANNELS)
    maps = [numpy.asarray(part) for part in (map1, map2) if part is not None]
    maps = [maps[0][..., 0], maps[0][..., 1]] if len(maps) == 1 and maps[0].ndim == 3 and maps[0].shape[2] == 2 else maps
    refuse(len(maps) != 2 or any(part.dtype != numpy.float32 or part.ndim != 2 for part in maps) or maps[0].shape != maps[1].shape,
           "maps that are not of float32, one of two channels or two of one size")
    places = numpy.zeros((*maps[0].shape, 3), "float32")
    places[..., 0], places[..., 1] = maps
    return deliver(weft.remap(image, places, **_lookup(image, interpolation, borderMode, borderValue), alpha_form="none"), dst)
