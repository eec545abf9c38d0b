# SPDX-License-Identifier: MIT
"""Functions of other libraries, made by weft: `from pyweft.compat import cv2`, `from pyweft.compat import ndimage`. Signatures,
defaults and borders are those of the original; results of uint8 are within one step of it, those of float32 within 1e-5 of the
range of the numbers. What cannot be the same is refused by an exception."""
