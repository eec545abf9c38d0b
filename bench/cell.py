# SPDX-License-Identifier: MIT
"""What is timed: a filter on images of one format and size, with a radius where the filter has one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    filter: str  # its name, and how it is used where there are several ways: "resize x0.5 lanczos3"
    graph: str   # that weft runs
    format: str
    radius: int | None
    width: int
    height: int
    reach: float = 3  # of a gaussian: its radius in sigmas

    @property
    def type(self) -> str:
        return self.format.split("x")[0]

    @property
    def channels(self) -> int:
        return int(self.format.split("x")[1])

    @property
    def full(self) -> float:
        """The stored value of white."""
        return {"u8": 255.0, "u16": 65535.0, "f32": 1.0}[self.type]

    @property
    def sigma(self) -> float:
        """Of a gaussian with the radius."""
        return self.radius / self.reach

    @property
    def size(self) -> int:
        """Of the square with that radius."""
        return 2 * self.radius + 1

    @property
    def name(self) -> str:
        return f"{self.filter}{'' if self.radius is None else f' r={self.radius}'} {self.format}"


def shape(height: int, width: int, channels: int) -> tuple[int, ...]:
    """Of an array: one channel has no axis of its own."""
    return (height, width) if channels == 1 else (height, width, channels)
