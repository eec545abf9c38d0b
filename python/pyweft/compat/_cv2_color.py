# SPDX-License-Identifier: MIT
"""OpenCV's functions of colors, levels and histograms."""

import numpy

from ._cv2_shared import deliver, pair, source
from ._shared import FULL, demand, plain, refuse, weft
from .._graph import input as _input

COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
COLOR_BGR2RGB = COLOR_RGB2BGR = 4
COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
COLOR_BGR2GRAY, COLOR_RGB2GRAY = 6, 7
COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
COLOR_BGRA2GRAY, COLOR_RGBA2GRAY = 10, 11
COLOR_BGR2YCrCb, COLOR_RGB2YCrCb = 36, 37
# Which channels a moved pixel has: 3 is alpha, full where there is none.
MOVES = {0: (3, (0, 1, 2, 3)), 1: (4, (0, 1, 2)), 2: (3, (2, 1, 0, 3)), 3: (4, (2, 1, 0)), 4: (3, (2, 1, 0)), 5: (4, (2, 1, 0, 3)),
         8: (1, (0, 0, 0)), 9: (1, (0, 0, 0, 3))}
LUMA = (0.299, 0.587, 0.114)
THRESH_BINARY, THRESH_BINARY_INV, THRESH_TRUNC, THRESH_TOZERO, THRESH_TOZERO_INV = range(5)
THRESH_OTSU = 8


def cvtColor(src, code, dst=None, dstCn=0, hint=0):
    """Grey of color, YCrCb of color, and channels in another order or number."""
    image = source(src, channels=(1, 3, 4))
    channels = image.shape[2] if image.ndim == 3 else 1
    refuse(dstCn != 0, "dstCn other than 0: the code says how many channels there are")
    if code in MOVES:
        needs, order = MOVES[code]
        demand(channels == needs, f"the code {code} needs {needs} channels; src has {channels}")
        if code == COLOR_BGR2RGB:
            return deliver(weft.swizzle(image, *order, alpha_form="none"), dst)
        result = numpy.empty((*image.shape[:2], len(order)), image.dtype)
        for k, taken in enumerate(order):
            result[..., k] = (image if channels == 1 else image[..., taken]) if taken < max(channels, 3) else FULL[image.dtype.name]
        return deliver(result, dst)
    red_first = code in (COLOR_RGB2GRAY, COLOR_RGBA2GRAY, COLOR_RGB2YCrCb)
    luma = LUMA if red_first else LUMA[::-1]
    if code in (COLOR_BGR2GRAY, COLOR_RGB2GRAY, COLOR_BGRA2GRAY, COLOR_RGBA2GRAY):
        demand(channels == (4 if code >= COLOR_BGRA2GRAY else 3),
               f"src has {channels} channels, which the code {code} does not take")
        return deliver(weft.grayscale(image[..., :3], luma, alpha_form="none")[..., 0], dst)
    refuse(code not in (COLOR_BGR2YCrCb, COLOR_RGB2YCrCb), f"the code {code}: there are grey, YCrCb, and other orders of channels")
    demand(channels == 3, f"src has {channels} channels; the code {code} takes 3")
    red, blue = (0, 2) if red_first else (2, 0)
    rows = numpy.zeros((4, 4))
    rows[0, :3] = luma
    rows[1, :3], rows[2, :3] = -numpy.multiply(luma, 0.713), -numpy.multiply(luma, 0.564)
    rows[1, red] += 0.713
    rows[2, blue] += 0.564
    rows[3, 3] = 1
    half = 128 / 255 if image.dtype == numpy.uint8 else 0.5
    return deliver(weft.color_matrix(image, rows.ravel(), (0, half, half, 0), alpha_form="none"), dst)


def _otsu(plane):
    """The level that parts the histogram into two classes that differ most (Otsu 1979). Where several are as good
    within rounding, OpenCV may take another."""
    share = _counts(plane) * (1 / plane.size)
    mean, below, mean_below, best, chosen, least = 0.0, 0.0, 0.0, 0.0, 0, float(numpy.finfo("float32").eps)
    for i, count in enumerate(_counts(plane).tolist()):
        mean += i * count
    mean *= 1 / plane.size
    for i, part in enumerate(share.tolist()):
        mean_below *= below
        below += part
        above = 1 - below
        if min(below, above) < least or max(below, above) > 1 - least:
            continue
        mean_below = (mean_below + i * part) / below
        apart = mean_below - (mean - below * mean_below) / above
        if below * above * apart * apart > best:
            best, chosen = below * above * apart * apart, i
    return chosen


def threshold(src, thresh, maxval, type, dst=None):
    """(the threshold, the image where numbers above it are maxval, cut off or kept)."""
    image = source(src)
    way, thresh = type & ~THRESH_OTSU, float(thresh)
    refuse(way not in range(5), f"type={type} is none of THRESH_BINARY, _BINARY_INV, _TRUNC, _TOZERO, _TOZERO_INV and THRESH_OTSU")
    if type & THRESH_OTSU:
        refuse(image.dtype != numpy.uint8 or image.ndim > 2, "THRESH_OTSU takes one channel of uint8")
        thresh = float(_otsu(image))
    limit = thresh
    if image.dtype == numpy.uint8:
        limit = thresh = float(numpy.floor(thresh))
        maxval = min(max(round(maxval), 0), 255)
        limit = min(max(limit, -1), 255)
    number = image.dtype.type
    above = image > number(limit) if limit >= 0 or image.dtype != numpy.uint8 else numpy.ones(image.shape, bool)
    if way == THRESH_TRUNC:
        made = numpy.where(above, number(max(limit, 0) if image.dtype == numpy.uint8 else limit), image)
    elif way in (THRESH_BINARY, THRESH_BINARY_INV):
        made = (above if way == THRESH_BINARY else ~above) * number(maxval)
    else:
        made = image * (above if way == THRESH_TOZERO else ~above)
    return thresh, deliver(made, dst)


def addWeighted(src1, alpha, src2, beta, gamma, dst=None, dtype=-1):
    """alpha src1 + beta src2 + gamma."""
    first, second = source(src1, "src1"), source(src2, "src2")
    demand(first.shape == second.shape and first.dtype == second.dtype, "src1 and src2 have different shapes or types")
    refuse(dtype != -1, "dtype other than -1")
    shape = (first.shape[0], -1)
    one, other = (_input().convolve3x3(kernel=(0, 0, 0, 0, factor, 0, 0, 0, 0), bias=bias)
                  for factor, bias in ((alpha, gamma / FULL[first.dtype.name]), (beta, 0)))
    made = one.sum_of(other)(first.reshape(shape), second.reshape(shape))
    return deliver(plain(made).reshape(first.shape), dst)


def _counts(plane):
    return numpy.asarray(weft.histogram(plane, 256)).reshape(-1)


def calcHist(images, channels, mask, histSize, ranges, hist=None, accumulate=False):
    """How often levels of one channel of uint8 occur, in histSize parts of the range, as float32: the numbers of OpenCV 5, of
    which OpenCV 4 makes a column."""
    refuse(len(channels) != 1 or len(histSize) != 1 or len(ranges) not in (0, 2), "histograms of several channels at once")
    refuse(mask is not None or accumulate, "a mask, or counts that go on")
    planes = [part for array in images
              for part in numpy.moveaxis(numpy.atleast_3d(source(array, "images", types=("uint8",))), 2, 0)]
    demand(0 <= channels[0] < len(planes), f"channel {channels[0]} of {len(planes)}")
    low, high = ranges if len(ranges) else (0, 256)
    bins = int(histSize[0])
    demand(bins > 0 and high > low, "histSize and the range must be above 0")
    levels = numpy.arange(256)
    scale = bins / (high - low)
    place = numpy.floor(levels * scale - scale * low).astype(int)
    inside = (levels >= low) & (levels < high)
    made = numpy.bincount(numpy.clip(place[inside], 0, bins - 1), _counts(planes[channels[0]])[inside], bins)
    return deliver(made.astype("float32"), hist)


def equalizeHist(src, dst=None):
    """Makes all levels of a grey image equally frequent."""
    return deliver(weft.equalize_histogram(source(src, channels=(1,), types=("uint8",))), dst)


class CLAHE:
    """Equalizes the histogram tile by tile; see createCLAHE."""

    def __init__(self, clipLimit=40.0, tileGridSize=(8, 8)):
        self.setClipLimit(clipLimit)
        self.setTilesGridSize(tileGridSize)

    def apply(self, src, dst=None):
        image = source(src, channels=(1,), types=("uint8",))
        return deliver(weft.clahe(image, max(self._limit, 0), *self._tiles), dst)

    def getClipLimit(self):
        return self._limit

    def setClipLimit(self, clipLimit):
        self._limit = float(clipLimit)

    def getTilesGridSize(self):
        return self._tiles

    def setTilesGridSize(self, tileGridSize):
        tiles = pair(tileGridSize, "tileGridSize")
        refuse(not all(1 <= count <= 16 for count in tiles), f"tileGridSize={tiles}; there are 1 to 16 tiles along each side")
        self._tiles = tiles

    def collectGarbage(self):
        """There is none."""


def createCLAHE(clipLimit=40.0, tileGridSize=(8, 8)):
    return CLAHE(clipLimit, tileGridSize)
