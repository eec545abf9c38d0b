# SPDX-License-Identifier: MIT
"""The text that a measurement prints: a line a cell, a line a check, and what was missed."""

from checks import Check
from limits import limit_of
from timing import Timing

HEADING = f"{'ratio':>6} {'x copy':>7} {'weft ms':>9} {'best ms':>9} threads  {'best peer':22} cell"


def line(timing: Timing) -> str:
    cell, copy = timing.cell, timing.weft / timing.copy
    size = "" if timing.cell.filter != "bilateral" else f" {cell.width}x{cell.height}"
    start = f"{timing.ratio:6.2f}" if timing.peers else "     -"
    best = f"{timing.peers[timing.best] / 1e3:9.3f}" if timing.peers else "        -"
    return (f"{start} {copy:7.2f} {timing.weft / 1e3:9.3f} {best} {timing.threads:7}  {timing.best or 'no peer':22} "
            f"{cell.name}{size}")


def check_line(check: Check) -> str:
    bound = f"{'at least' if check.at_least else 'at most'} {check.bound:.2f}"
    return f"{'ok' if check.met else 'MISSED':7} {check.value:6.2f}, {bound}; threads {check.threads}: {check.what}"


def slower(timings: list[Timing]) -> list[Timing]:
    """Cells in which a peer was faster, the worst first."""
    return sorted((timing for timing in timings if timing.peers and timing.ratio > 1), key=lambda timing: -timing.ratio)


def missed(timings: list[Timing], checks: list[Check]) -> list[str]:
    """Cells and bounds, each with what stands in the way."""
    cells = [f"{timing.ratio:.2f} x the time of {timing.best}; threads {timing.threads}: {timing.cell.name}\n"
             f"    limit: {limit_of(timing.cell.name)}" for timing in slower(timings)]
    return cells + [f"{check_line(check)}\n    limit: {limit_of(check.what, check.limit)}" for check in checks
                    if not check.met]


def summary(timings: list[Timing], checks: list[Check], differences: dict[str, dict[str, str]]) -> str:
    lines = []
    compared = [timing for timing in timings if timing.peers]
    if compared:
        faster = sum(timing.ratio <= 1 for timing in compared)
        lines += ["", f"weft is at least as fast as the best peer in {faster} of {len(compared)} cells"]
    left = missed(timings, checks)
    lines += ["", f"missed: {len(left)}", *(f"  {text}" for text in left)]
    timed = {timing.cell.filter for timing in timings}
    told = [f"  {version}: {filter}: {text}" for version, texts in differences.items()
            for filter, text in texts.items() if filter in timed]
    return "\n".join(lines + (["", "where a peer's work is not quite the same:", *told] if told else []))
