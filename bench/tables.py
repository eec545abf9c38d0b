#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py RESULTS: writes the tables of docs/performance.md and docs/bounds.md, between their marks, from what
bench/run.sh --json measured. Tables are of ratios: times alone say more of the machine than of weft."""

import json
import re
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from cells import FORMATS, RADII, WITH_RADIUS
from checks import Check, family
from limits import limit_of
from plots import FOLDER, SUFFIX
from report import slower
from timing import Timing

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BOUNDS = PAGE.with_name("bounds.md")
PLOTS_FIRST = ["gaussian", "box", "median"]  # what a reader sees at once


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def figure(timing: Timing | None) -> str:
    """Bold where a peer is faster."""
    if timing is None:
        return ""
    if timing.ratio is None:
        return "no peer"
    text = f"{timing.ratio:.2f}"
    return f"**{text}**" if timing.ratio > 1 else text


def by_filter(timings: list[Timing]) -> list[str]:
    rows = []
    groups = dict.fromkeys(family(timing) for timing in timings)
    of: list[tuple[str, Callable[[Timing], bool]]] = [(name, lambda timing, name=name: family(timing) == name)
                                                     for name in groups]
    for name, belongs in [*of, ("all", lambda timing: True)]:
        those = [timing for timing in timings if timing.peers and belongs(timing)]
        if those:
            ratios, worst = [timing.ratio for timing in those], max(those, key=lambda timing: timing.ratio)
            faster = sum(ratio <= 1 for ratio in ratios)
            rows.append([name, f"{statistics.geometric_mean(ratios):.2f}", f"{faster} of {len(ratios)}",
                         f"{worst.ratio:.2f}: {worst.cell.name.removeprefix(name).strip()}, {worst.best}"])
    return table(["filter", "mean ratio", "cells at least as fast", "worst"], rows)


def by_cell(timings: list[Timing]) -> list[str]:
    found = {(timing.cell.filter, timing.cell.format, timing.cell.radius): timing for timing in timings}
    radii = [radius for radius in RADII if any(key[2] == radius for key in found)]
    rows = [[filter, format, *(figure(found.get((filter, format, radius))) for radius in radii)]
            for filter in WITH_RADIUS for format in FORMATS
            if any((filter, format, radius) in found for radius in radii)]
    lines = table(["filter", "format", *(f"r={radius}" for radius in radii)], rows) if rows else []
    others = dict.fromkeys(key[0] for key in found if key[2] is None)
    rows = [[filter, *(figure(found.get((filter, format, None))) for format in FORMATS)] for filter in others]
    return lines + (table(["filter", *FORMATS], rows) if rows else [])


def threads_of(timings: list[Timing]) -> list[tuple[str, list[Timing]]]:
    return [(f"{threads} thread{'s' if threads > 1 else ''}", [timing for timing in timings if timing.threads == threads])
            for threads in sorted({timing.threads for timing in timings})]


def plots(names: list[str]) -> list[str]:
    return [f"![{name}: time against radius]({FOLDER}/{name}{SUFFIX})" for name in names
            if (PAGE.parent / FOLDER / f"{name}{SUFFIX}").exists()]


def summary(stored: dict, timings: list[Timing]) -> list[str]:
    versions = dict.fromkeys(peer for timing in timings for peer in timing.peers)
    lines = ["Time on one thread against radius, in units of a copy of the same bytes:", "", *plots(PLOTS_FIRST), "",
             f"Measured on {stored['machine']}, images of {stored['size']}, beside {', '.join(versions)}. A ratio is "
             "weft's time over that of the fastest peer in that cell; bold where a peer is faster.", ""]
    for name, those in threads_of(timings):
        lines += [f"### {name}", "", *by_filter(those)]
    return lines


def results(timings: list[Timing]) -> list[str]:
    lines = []
    for name, those in threads_of(timings):
        lines += [f"### Cells on {name}", "", *by_cell(those)]
    lines += ["### Other plots", "", *plots([name for name in WITH_RADIUS if name not in PLOTS_FIRST]), ""]
    behind = [[timing.cell.name, str(timing.threads), f"{timing.ratio:.2f}", str(timing.best),
               limit_of(timing.cell.name)] for timing in slower(timings)]
    if behind:
        lines += ["### Where a peer is faster", "", *table(["cell", "threads", "ratio", "peer", "limit"], behind)]
    return lines


def bounds(stored: dict) -> list[str]:
    checks = [Check(**{key: value for key, value in check.items() if key != "met"}) for check in stored["checks"]]
    rows = [[check.what, str(check.threads), f"{check.value:.2f}",
             f"{'at least' if check.at_least else 'at most'} {check.bound:.2f}",
             "" if check.met else f"missed: {limit_of(check.what, check.limit)}"] for check in checks]
    return table(["what", "threads", "measured", "bound", ""], rows)


def write(page: Path, what: str, lines: list[str]) -> bool:
    """Between the marks of `what`; False where the page lacks them."""
    begin, end = f"<!-- {what}: written by bench/tables.py, do not edit -->", f"<!-- end of {what} -->"
    text = page.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1:
        print(f"tables.py: {page} lacks the marks '{begin}' and '{end}'", file=sys.stderr)
        return False
    made = "\n".join([begin, "", *lines]).rstrip() + "\n\n" + end
    page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda match: made, text, flags=re.S), encoding="utf-8")
    return True


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: tables.py RESULTS", file=sys.stderr)
        return 2
    stored = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    timings = [Timing.restored(cell) for cell in stored["cells"]]
    good = [write(PAGE, "summary", summary(stored, timings)), write(PAGE, "results", results(timings)),
            write(BOUNDS, "bounds", bounds(stored))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
