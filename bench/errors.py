# SPDX-License-Identifier: MIT
"""How far a result is from the truth, and how that is written."""

from dataclasses import dataclass

import numpy as np

STEP = 1 / 255
# Values further off than this are counted: there a decision, a threshold or a sorting, fell the other way.
FAR = {"u8": 1.0, "f32": 1e-3}


@dataclass
class Error:
    """Of u8 in steps, of f32 in units of full scale."""
    type: str
    largest: float
    mean: float
    far: float  # the share of values further off than FAR

    def __str__(self) -> str:
        text = f"{self.largest:.3f}" if self.type == "u8" else f"{self.largest:.1e}"
        if self.far:
            share = f"{100 * self.far:.2g}" if self.far >= 5e-5 else "below 0.01"
            text += f" ({share} %)"
        return text


def error_of(made: np.ndarray, truth: np.ndarray, type: str) -> Error:
    """Of an image, both in units of full scale; u8 holds no more than [0, 1]."""
    if type == "u8":
        truth = np.clip(np.nan_to_num(truth), 0, 1) / STEP
        made = made / STEP
    same = (made == truth) | (np.isnan(made) & np.isnan(truth))  # infinities too
    with np.errstate(invalid="ignore"):
        difference = np.where(same, 0.0, np.abs(made - truth))
    return Error(type, float(difference.max()), float(difference.mean()), float((difference > FAR[type]).mean()))
