# SPDX-License-Identifier: MIT
"""What weft promises of its speed beyond single cells, each with its bound: means over cells, flat cost in the radius,
chains, threads, small images, memory."""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cell import Cell
from cells import FORMATS, POINTS, chain
from sides import Weft
from timing import Timing

BETTER_PER_FILTER, BETTER_IN_ALL = 1 / 1.5, 1 / 3
# Above the first of these radii a filter's time is to be flat, which is to say within this factor at the last.
FLAT_RADII, FLAT = (32, 100), 1.25
FLAT_FILTERS = {"gaussian": FORMATS, "box": FORMATS, "dilate": FORMATS, "erode": FORMATS,
                "median": ("u8x1", "u8x3", "u8x4")}
CHAIN, SHARE, COPY, THREADS = 1.5, 1.5, 1.5, 1.8
CHAIN_RADII, MIDDLE = (8, 32), 8
RUN_FORMATS = ("u8x1", "f32x1")
MEMORY_FILTERS, MEMORY_RADIUS = ("gaussian", "box", "dilate", "erode"), 2
SMALL = 256


@dataclass
class Check:
    what: str
    threads: int
    value: float
    bound: float
    at_least: bool = False  # the bound; else at most
    limit: str = ""         # what was measured beside it that no filter could be better than

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def family(timing: Timing) -> str:
    return timing.cell.filter.split()[0]


def mean_check(start: str, timings: list[Timing], bound: float) -> Check:
    """Of ratios to the best peer; what the mean would be if a cell took no longer than a copy of its bytes is its limit."""
    copies = statistics.geometric_mean(timing.copy / timing.peers[timing.best] for timing in timings)
    return Check(f"{start}mean ratio to the best peer of {len(timings)} cells", timings[0].threads,
                 statistics.geometric_mean(timing.ratio for timing in timings), bound, limit=f"a copy has {copies:.2f}")


def of_cells(timings: list[Timing]) -> Iterator[Check]:
    """Those that are computed from the cells."""
    for threads in sorted({timing.threads for timing in timings}):
        those = [timing for timing in timings if timing.threads == threads]
        compared = [timing for timing in those if timing.ratio is not None]
        for name in dict.fromkeys(family(timing) for timing in compared):
            yield mean_check(f"{name}: ", [timing for timing in compared if family(timing) == name], BETTER_PER_FILTER)
        if compared:
            yield mean_check("", compared, BETTER_IN_ALL)
        found = {(timing.cell.filter, timing.cell.format, timing.cell.radius): timing for timing in those}
        for name, formats in FLAT_FILTERS.items():
            for format in formats:
                small, large = (found.get((name, format, radius)) for radius in FLAT_RADII)
                if small and large:
                    yield Check(f"{name} {format}: time at radius {FLAT_RADII[1]} to that at {FLAT_RADII[0]}", threads,
                                large.weft / small.weft, FLAT)
        for timing in those:
            cell = timing.cell
            if family(timing) in MEMORY_FILTERS and cell.type == "f32" and cell.radius <= MEMORY_RADIUS:
                yield Check(f"{cell.name}: time to that of a copy", threads, timing.weft / timing.copy, COPY)


def ratios(one: Callable[[], dict], other: Callable[[], dict], rounds: int = 5) -> tuple[float, float]:
    """Of two measurements that are taken in turns: of their times, and of those of copies beside them."""
    pairs = [(one(), other()) for _ in range(rounds)]
    return tuple(statistics.median(first[name] / second[name] for first, second in pairs)
                 for name in ("time_us", "copy_us"))


def of_runs(weft: Weft, chosen: list[Cell], threads: int, seconds: float = 0.1) -> Iterator[Check]:
    """Those that need runs of their own, on as many threads as there may be."""
    def measured(cell: Cell, count: int = 1, **changes) -> dict:
        return weft.bench(replace(cell, **changes), count, seconds)

    for cell in chosen:
        if cell.filter == "gaussian" and cell.radius in CHAIN_RADII and cell.format in RUN_FORMATS:
            yield Check(f"{cell.name}: time with {len(POINTS)} point filters before it to that without", 1,
                        ratios(lambda: measured(cell, graph=chain(cell.radius)), lambda: measured(cell))[0], CHAIN)
    for cell in typical(chosen):
        share = cell.width * cell.height / SMALL ** 2
        copies: list[float] = []

        def small() -> dict:
            answer = measured(cell, width=SMALL, height=SMALL)
            copies.append(answer["copy_us"] / answer["time_us"])
            return answer

        of_share = ratios(small, lambda: measured(cell))[0] * share
        yield Check(f"{cell.name}: time for {SMALL}x{SMALL} to its share of {cell.width}x{cell.height}", 1,
                    of_share, SHARE, limit=f"a copy of so few takes {of_share * statistics.median(copies):.2f} of that share")
        if threads >= 2:
            gain, of_copy = ratios(lambda: measured(cell), lambda: measured(cell, 2))
            yield Check(f"{cell.name}: speed of two threads to that of one", 2, gain, THREADS, True,
                        f"a copy gains {of_copy:.2f}")


def typical(chosen: list[Cell]) -> list[Cell]:
    """One cell of each filter and format: of the radii, the one nearest the middle."""
    found: dict[tuple[str, str], Cell] = {}
    for cell in chosen:
        known = found.get((cell.filter, cell.format))
        if known is None or cell.radius is not None and abs(cell.radius - MIDDLE) < abs(known.radius - MIDDLE):
            found[cell.filter, cell.format] = cell
    return [cell for cell in found.values() if cell.format in RUN_FORMATS or cell.format == "u8x4"
            and (cell.filter, RUN_FORMATS[0]) not in found]
