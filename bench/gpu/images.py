# SPDX-License-Identifier: MIT
"""Images in a GPU's memory, more of them than its caches hold, and times by events on its own clock."""

import statistics
from collections.abc import Callable

import cupy

from cell import Cell, shape

BEYOND_CACHES = 512 << 20
ROUNDS = 5
TYPES = {"u8": cupy.uint8, "u16": cupy.uint16, "f32": cupy.float32}


class Images:
    """Of one cell, for all peers."""

    def __init__(self, cell: Cell):
        random = cupy.random.default_rng(1)
        size = shape(cell.height, cell.width, cell.channels)
        first = (random.random(size, cupy.float32) * cell.full + (cell.type != "f32") * 0.5).astype(TYPES[cell.type])
        count = max(2, BEYOND_CACHES // (2 * first.nbytes) + 1)
        self.pairs = [(first.copy(), cupy.zeros_like(first)) for _ in range(count)]

    def time(self, call: Callable, seconds: float) -> float:
        """Microseconds of a call: the median over rounds of the mean of a round, each of about so many seconds."""
        stream = cupy.cuda.get_current_stream()
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()

        def run(calls: int) -> float:
            begin.record(stream)
            for i in range(calls):
                call(*self.pairs[i % len(self.pairs)])
            end.record(stream)
            end.synchronize()
            return cupy.cuda.get_elapsed_time(begin, end) * 1e3 / calls

        run(2)  # what is compiled, loaded and allocated at the first call
        once = max(run(2), 1.0)
        calls = max(2, int(seconds / ROUNDS * 1e6 / once))
        return statistics.median(run(calls) for _ in range(ROUNDS))


def copy(source: "cupy.ndarray", result: "cupy.ndarray") -> None:
    result.data.copy_from_device_async(source.data, source.nbytes, cupy.cuda.get_current_stream())
