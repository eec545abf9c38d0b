# SPDX-License-Identifier: MIT
"""Numbers measured over the whole picture: numpy in double precision, and counts bit for bit."""

import cv2
import numpy as np

from compare import Suite
from pictures import FULL_SCALE

FORMATS = ("u8x1", "u8x3", "u8x4", "u16x1", "u16x3", "u16x4", "f32x1", "f32x3", "f32x4")


def numbers(suite: Suite) -> None:
    for name in FORMATS:
        picture = suite.pictures[name]
        planes = picture.real.reshape(-1, picture.pixels.shape[2])
        suite.numbers("reduce=min", "numpy min", picture, planes.min(axis=0), 1e-7, "values of f32")
        suite.numbers("reduce=max", "numpy max", picture, planes.max(axis=0), 1e-7, "values of f32")
        suite.numbers("reduce=sum", "numpy sum", picture, planes.sum(axis=0), 1e-7, "pixels are read as f32")
        suite.numbers("reduce=mean", "numpy mean", picture, planes.mean(axis=0), 1e-7, "pixels are read as f32")
    picture = suite.pictures["u8x3"]
    suite.numbers("reduce=mean", "cv2 mean", picture, np.array(cv2.mean(picture.pixels)[:3]) / 255, 1e-7,
                  "pixels are read as f32")


def histograms(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u8x4", "u16x1", "u16x3", "u16x4"):
        picture = suite.pictures[name]
        size = int(FULL_SCALE[picture.type]) + 1
        planes = picture.pixels.reshape(-1, picture.pixels.shape[2]).T
        counts = np.stack([np.bincount(plane, minlength=size) for plane in planes], axis=1)
        suite.numbers(f"histogram={size}", "numpy bincount", picture, counts)
    picture = suite.pictures["u8x3"]
    counts = np.stack([cv2.calcHist([picture.pixels], [k], None, [256], [0, 256]).ravel() for k in range(3)], axis=1)
    suite.numbers("histogram", "cv2 calcHist", picture, counts)
    for name in ("f32x1", "f32x3"):  # in u8 and u16 full scale is no power of two, so bins would not be alike
        picture = suite.pictures[name]
        # weft counts what is less than 2^-20 of itself below an edge as above it, whatever rounding made of it.
        reaching = picture.pixels.astype(np.float64) * (1 + 2.0**-20)
        planes = np.clip(reaching, 0, 1).reshape(-1, picture.pixels.shape[2]).T
        for bins in (256, 64):
            counts = np.stack([np.histogram(plane, bins, (0, 1))[0] for plane in planes], axis=1)
            suite.numbers(f"histogram={bins}", "numpy histogram", picture, counts)


def compare(suite: Suite) -> None:
    for part in (numbers, histograms):
        part(suite)
