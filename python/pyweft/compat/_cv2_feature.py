# SPDX-License-Identifier: MIT
"""OpenCV's edges, corners and adaptive thresholds."""

import dataclasses

import numpy

from ._cv2_color import THRESH_BINARY, THRESH_BINARY_INV
from ._cv2_shared import BORDER_DEFAULT, border_type, deliver, source
from ._shared import demand, odd, plain, refuse, weft

ADAPTIVE_THRESH_MEAN_C, ADAPTIVE_THRESH_GAUSSIAN_C = 0, 1
FAST_FEATURE_DETECTOR_TYPE_9_16 = 2


def Canny(image, threshold1, threshold2, edges=None, apertureSize=3, L2gradient=False):
    """Edges of a grey image, white on black."""
    seen = source(image, "image", channels=(1,), types=("uint8",))
    demand(apertureSize in (3, 5, 7), f"apertureSize is {apertureSize}, but must be 3, 5 or 7")
    refuse(min(threshold1, threshold2) < 0, "thresholds below 0")
    return deliver(weft.canny(seen, float(threshold1), float(threshold2), sigma=0, aperture=str(apertureSize),
                              norm="l2" if L2gradient else "l1", unit="levels"), edges)


def adaptiveThreshold(src, maxValue, adaptiveMethod, thresholdType, blockSize, C, dst=None):
    """maxValue where a pixel is above the mean around it less C, else 0; the other way round with THRESH_BINARY_INV."""
    image = source(src, channels=(1,), types=("uint8",))
    demand(blockSize > 1 and blockSize % 2 == 1, f"blockSize is {blockSize}, but must be odd and above 1")
    demand(adaptiveMethod in (0, 1) and thresholdType in (THRESH_BINARY, THRESH_BINARY_INV),
           "adaptiveMethod is a mean or a gaussian, thresholdType THRESH_BINARY or THRESH_BINARY_INV")
    if maxValue < 0:
        return deliver(numpy.zeros_like(image), dst)
    inverse = thresholdType == THRESH_BINARY_INV
    offset = numpy.floor(C) if inverse else numpy.ceil(C)
    refuse(abs(offset) > 255, f"C={C} beyond 255 levels")
    made = plain(weft.adaptive_threshold(image, blockSize // 2, float(offset / 255), "gaussian" if adaptiveMethod else "box",
                                         border="replicate"))
    level = min(max(round(maxValue), 0), 255)
    if inverse or level != 255:
        made = numpy.where((made == 0) if inverse else (made != 0), numpy.uint8(level), numpy.uint8(0))
    return deliver(made, dst)


def cornerHarris(src, blockSize, ksize, k, dst=None, borderType=BORDER_DEFAULT):
    """How much of a corner each pixel of a grey image is, as float32."""
    image = source(src, channels=(1,))
    refuse(ksize != 3, f"ksize={ksize}; gradients are of the 3 x 3 Sobel operator")
    radius = odd(blockSize, "blockSize")
    refuse(radius < 1 or not 0 <= k <= 0.25, f"blockSize={blockSize} and k={k}; from 3 on, and 0 to 0.25")
    border = border_type(borderType)
    refuse(border == "constant", "BORDER_CONSTANT: what is outside would be other gradients")
    made = weft.harris(image, radius=radius, k=float(k), result="response", sensitivity=1, border=border, dtype="float32")
    return deliver(made, dst)


@dataclasses.dataclass
class KeyPoint:
    """A corner: where it is, and how clear."""

    pt: tuple
    size: float = 7.0
    angle: float = -1.0
    response: float = 0.0
    octave: int = 0
    class_id: int = -1


class FastFeatureDetector:
    """Finds corners by FAST, 9 of 16."""

    def __init__(self, threshold=10, nonmaxSuppression=True, type=FAST_FEATURE_DETECTOR_TYPE_9_16):
        refuse(type != FAST_FEATURE_DETECTOR_TYPE_9_16, "types other than 9 of 16")
        self._suppress = bool(nonmaxSuppression)
        self.setThreshold(threshold)

    @classmethod
    def create(cls, threshold=10, nonmaxSuppression=True, type=FAST_FEATURE_DETECTOR_TYPE_9_16):
        return cls(threshold, nonmaxSuppression, type)

    def detect(self, image, mask=None):
        """The corners from the top down and from left to right; a mask keeps those where it is not 0."""
        seen = source(image, "image", channels=(1,), types=("uint8",))
        made = plain(weft.fast_corner(seen, self._threshold / 255, suppress=self._suppress,
                                      result="value" if self._suppress else "mask"))
        rows, columns = numpy.nonzero(made > 1 if self._suppress else made)  # OpenCV suppresses what has the score 0
        if mask is not None:
            kept = numpy.asarray(mask)[rows, columns] != 0
            rows, columns = rows[kept], columns[kept]
        return tuple(KeyPoint((float(x), float(y)), response=float(made[y, x]) - 1 if self._suppress else 0.0)
                     for y, x in zip(rows.tolist(), columns.tolist()))

    def getThreshold(self):
        return self._threshold

    def setThreshold(self, threshold):
        demand(0 <= threshold <= 255, f"threshold is {threshold}, but must lie within 0 to 255")
        self._threshold = int(threshold)

    def getNonmaxSuppression(self):
        return self._suppress

    def setNonmaxSuppression(self, f):
        self._suppress = bool(f)


def FastFeatureDetector_create(threshold=10, nonmaxSuppression=True, type=FAST_FEATURE_DETECTOR_TYPE_9_16):
    return FastFeatureDetector(threshold, nonmaxSuppression, type)
