# SPDX-License-Identifier: MIT
"""What each of weft's borders is called by the peers."""

import cv2
import numpy as np

ALL = ("replicate", "mirror", "symmetric", "wrap", "constant")  # those that peers have; shrink is counted by hand
SCIPY = {"replicate": "nearest", "mirror": "mirror", "symmetric": "reflect", "wrap": "wrap", "constant": "constant"}
NUMPY = {"replicate": "edge", "mirror": "reflect", "symmetric": "symmetric", "wrap": "wrap", "constant": "constant"}
# OpenCV's filters refuse to wrap.
OPENCV = {"replicate": cv2.BORDER_REPLICATE, "mirror": cv2.BORDER_REFLECT_101, "symmetric": cv2.BORDER_REFLECT,
          "constant": cv2.BORDER_CONSTANT}


def pad(image: np.ndarray, radius_x: int, radius_y: int, border: str) -> np.ndarray:
    widths = ((radius_y, radius_y), (radius_x, radius_x)) + ((0, 0),) * (image.ndim - 2)
    return np.pad(image, widths, mode=NUMPY[border])


def each_channel(function, image: np.ndarray) -> np.ndarray:
    """A peer's function of one plane, over all channels."""
    return np.stack([function(np.ascontiguousarray(image[:, :, k])) for k in range(image.shape[2])], axis=2)
