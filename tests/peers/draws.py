# SPDX-License-Identifier: MIT
"""What random comparisons are made of: pictures, parameters, and a case's graph with what must come out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pictures import Picture, quantize

COLORS = ("u8x1", "u8x3", "u16x1", "u16x3", "f32x1", "f32x3")
RGB = ("u8x3", "u16x3", "f32x3")
WITH_ALPHA = ("u8x1", "u8x3", "u8x4", "u16x3", "u16x4", "f32x1", "f32x3", "f32x4")


@dataclass
class Case:
    graph: str
    expected: np.ndarray  # 1 is full scale
    tolerance: float  # of full scale; integers may be half a step further off
    where: np.ndarray | bool = True  # leaves out what the peer cannot say
    more: tuple[Picture, ...] = ()  # inputs behind those that were drawn
    before: tuple[Picture, ...] = ()  # frames before the only input


@dataclass
class Row:
    """A filter: `make` draws the parameters and asks the peer what comes out of the pictures."""
    name: str
    peer: str
    make: Callable[..., Case]
    formats: tuple[str, ...] = COLORS
    inputs: int = 1
    side: int = 60  # the largest
    least: int = 1
    steps: float = 0  # of integers, beside rounding: what weights in whole numbers may be off (docs/design.md)


class Draw:
    def __init__(self, seed: list[int]):
        self.random = np.random.default_rng(seed)

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def whole(self, low: int, high: int) -> int:
        return int(self.random.integers(low, high + 1))

    def one(self, values):
        return values[self.whole(0, len(values) - 1)]

    def number(self, low: float, high: float) -> float:
        """One that four digits say; now and then an end of its range. What weft makes of it is f32."""
        value = self.one((low, high)) if self.chance(0.1) else self.random.uniform(low, high)
        return float(f"{value:.4g}")

    def numbers(self, count: int, low: float, high: float) -> list[float]:
        return [self.number(low, high) for _ in range(count)]

    def side(self, least: int, most: int) -> int:
        """Small ones often: there the borders and the ends of vectors are."""
        return max(least, self.whole(1, min(most, 9)) if self.chance(0.3) else self.whole(1, most))

    def plane(self, height: int, width: int) -> np.ndarray:
        kind = self.whole(0, 4)
        if kind == 0:
            return np.full((height, width), self.random.random())
        if kind == 1:  # a slope
            y, x = np.mgrid[:height, :width]
            return (self.random.uniform(-0.1, 0.1) * x + self.random.uniform(-0.1, 0.1) * y + 0.5) % 1.0
        if kind == 2:  # blocks of black, white and grey
            blocks = self.random.integers(0, 4, (height // 5 + 1, width // 5 + 1)) / 3
            return np.kron(blocks, np.ones((5, 5)))[:height, :width]
        if kind == 3:  # few levels
            return self.random.integers(0, 6, (height, width)) / 5
        return self.random.random((height, width))

    def picture(self, format: str, height: int, width: int) -> Picture:
        kind, channels = format.split("x")
        alpha = int(channels) in (2, 4)
        planes = [self.plane(height, width) for _ in range(int(channels))]
        return Picture(quantize(np.stack(planes, axis=2), kind), alpha)


def joined(values) -> str:
    return "|".join(f"{value:g}" for value in values)


def on_colors(picture: Picture, function) -> np.ndarray:
    """Applies to the colors; alpha stays."""
    real = picture.real
    if not picture.alpha:
        return function(real)
    return np.concatenate([function(real[:, :, :-1]), real[:, :, -1:]], axis=2)
