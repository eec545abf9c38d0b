# SPDX-License-Identifier: MIT
"""OpenCV's functions, made by weft: `from pyweft.compat import cv2`. Images are numpy arrays of uint8 or float32.

Results of uint8 are within one step of OpenCV's, results of float32 within 1e-5 of the range of the numbers. OpenCV itself rounds
places to float32 where it looks between pixels, so that warps of images above some hundred pixels agree to that only. Arguments
whose result would differ raise weft.UnsupportedError."""

from ._cv2_color import (CLAHE, COLOR_BGR2BGRA, COLOR_BGR2GRAY, COLOR_BGR2RGB, COLOR_BGR2RGBA, COLOR_BGR2YCrCb, COLOR_BGRA2BGR,
                         COLOR_BGRA2GRAY, COLOR_BGRA2RGB, COLOR_BGRA2RGBA, COLOR_GRAY2BGR, COLOR_GRAY2BGRA, COLOR_GRAY2RGB,
                         COLOR_GRAY2RGBA, COLOR_RGB2BGR, COLOR_RGB2BGRA, COLOR_RGB2GRAY, COLOR_RGB2RGBA, COLOR_RGB2YCrCb,
                         COLOR_RGBA2BGR, COLOR_RGBA2BGRA, COLOR_RGBA2GRAY, COLOR_RGBA2RGB, THRESH_BINARY, THRESH_BINARY_INV,
                         THRESH_OTSU, THRESH_TOZERO, THRESH_TOZERO_INV, THRESH_TRUNC, addWeighted, calcHist, createCLAHE, cvtColor,
                         equalizeHist, threshold)
from ._cv2_feature import (ADAPTIVE_THRESH_GAUSSIAN_C, ADAPTIVE_THRESH_MEAN_C, Canny, FAST_FEATURE_DETECTOR_TYPE_9_16,
                           FastFeatureDetector, FastFeatureDetector_create, KeyPoint, adaptiveThreshold, cornerHarris)
from ._cv2_filter import (CV_16S, CV_32F, CV_64F, CV_8U, FILTER_SCHARR, GaussianBlur, Laplacian, Scharr, Sobel, bilateralFilter,
                          blur, boxFilter, filter2D, getGaussianKernel, medianBlur, sepFilter2D)
from ._cv2_morphology import (MORPH_BLACKHAT, MORPH_CLOSE, MORPH_CROSS, MORPH_DILATE, MORPH_ELLIPSE, MORPH_ERODE, MORPH_GRADIENT,
                              MORPH_OPEN, MORPH_RECT, MORPH_TOPHAT, dilate, erode, getStructuringElement, morphologyEx)
from ._cv2_shared import (BORDER_CONSTANT, BORDER_DEFAULT, BORDER_ISOLATED, BORDER_REFLECT, BORDER_REFLECT101, BORDER_REFLECT_101,
                          BORDER_REPLICATE, BORDER_WRAP)
from ._cv2_warp import (INTER_AREA, INTER_CUBIC, INTER_LINEAR, INTER_LINEAR_EXACT, INTER_NEAREST, INTER_NEAREST_EXACT,
                        WARP_INVERSE_MAP, remap, resize, warpAffine, warpPerspective)

__all__ = [name for name in dir() if not name.startswith("_")]
