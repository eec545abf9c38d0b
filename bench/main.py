#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times weft beside its peers on the same work in one go and prints the ratios of the times: below 1 weft is faster. Cells in
which a peer was ahead are timed again, four times as long, and that counts."""

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import asdict
from pathlib import Path

import checks
import report
from cells import FORMATS, RADII, cells
from sides import PEERS, Unable, Weft, open_environments
from timing import Timing, time_cell

AGAIN = 4  # times as long


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__)
    parser.add_argument("--weft", default="build/release/weft", help="the weft tool")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH",
                        help=f"has peers; names are {', '.join(PEERS)}")
    parser.add_argument("--filter", default="", help="only cells whose filter holds one of these words, by commas")
    parser.add_argument("--format", default=",".join(FORMATS), help="only these formats, by commas")
    parser.add_argument("--radius", type=numbers, default=list(RADII), help="only these radii, by commas")
    parser.add_argument("--threads", type=numbers, default=sorted({1, len(os.sched_getaffinity(0))}),
                        help="how many; one and all by default")
    parser.add_argument("--size", default="3840x2160", help="of the images")
    parser.add_argument("--seconds", type=float, default=0.6, help="to measure each side of a cell for")
    parser.add_argument("--minutes", type=float, help="for all cells: fewer rounds where the time runs out")
    parser.add_argument("--no-checks", action="store_true", help="cells only: no chains, threads, small images")
    parser.add_argument("--json", metavar="FILE", help="write all of it there; - for standard output in place of text")
    return parser.parse_args()


def machine() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {len(os.sched_getaffinity(0))} threads"


def time_again(timings: list[Timing], weft: Weft, environments: list, seconds: float, failures: list[str], say) -> None:
    """Cells in which a peer was ahead: a moment in which the machine does something else is longer than a cell."""
    for i, timing in enumerate(timings):
        if timing.ratio is None or timing.ratio < 1:
            continue
        try:
            timings[i] = time_cell(timing.cell, weft, environments, timing.threads, AGAIN * seconds, float("inf"), failures)
        except Unable as error:
            failures.append(str(error))
        else:
            say(f"{report.line(timings[i])}, again")


def time_cells(chosen: list, options: argparse.Namespace, say) -> tuple[list[Timing], dict, list[str]]:
    weft, pythons = Weft(options.weft), dict(word.split("=", 1) for word in options.python)
    timings, differences, failures = [], {}, []
    end = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    left = len(chosen) * len(options.threads)
    say(report.HEADING)
    for threads in options.threads:
        environments, of_threads = open_environments(pythons, threads), []
        for environment in environments:
            differences |= {peer["version"]: peer["differences"] for peer in environment.peers.values()}
        for cell in chosen:
            now = time.monotonic()
            try:
                timing = time_cell(cell, weft, environments, threads, options.seconds, now + (end - now) / left,
                                   failures)
            except Unable as error:
                failures.append(str(error))
            else:
                of_threads.append(timing)
                say(report.line(timing))
            left -= 1
        time_again(of_threads, weft, environments, options.seconds, failures, say)
        timings += of_threads
        for environment in environments:
            environment.close()
    return timings, differences, failures


def main() -> int:
    options = read_options()
    width, height = map(int, options.size.split("x"))
    formats, words = options.format.split(","), options.filter.split(",")
    chosen = [cell for cell in cells(width, height) if any(word in cell.filter for word in words)
              and cell.format in formats and cell.radius in (None, *options.radius)]
    if not chosen:
        print("bench: no cell is like that", file=sys.stderr)
        return 2

    def say(text: str) -> None:
        if options.json != "-":
            print(text, flush=True)

    timings, differences, failures = time_cells(chosen, options, say)
    done = list(checks.of_cells(timings))
    say("\n".join(["", *(report.check_line(check) for check in done)]))
    if not options.no_checks:
        for check in checks.of_runs(Weft(options.weft), chosen, max(options.threads)):
            done.append(check)
            say(report.check_line(check))
    say(report.summary(timings, done, differences))
    for failure in failures:
        print(f"bench: {failure}", file=sys.stderr)
    if options.json:
        text = json.dumps({"machine": machine(), "size": options.size, "differences": differences,
                           "cells": [timing.stored() for timing in timings],
                           "checks": [{**asdict(check), "met": check.met} for check in done],
                           "missed": report.missed(timings, done), "failures": failures}, indent=1)
        if options.json == "-":
            print(text)
        else:
            Path(options.json).parent.mkdir(parents=True, exist_ok=True)
            Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
