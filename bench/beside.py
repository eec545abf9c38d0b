#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the CPU's speed beside that of an older build: bench/beside.py OLD NEW [--filters NAME,NAME..].

OLD and NEW are tools, or folders that have one. Each filter's example graph, as NEW tells it, is timed by
`weft bench` of both tools by turns, so that what else the machine does meets both alike; a filter's ratio is
the median of the rounds' ratios, the time of NEW over that of OLD. One that seems slower is measured again,
by more rounds, before it counts. Graphs that OLD does not know are passed over, with a word. Exit status 1
when a filter is slower by more than --limit."""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path


class Unable(Exception):
    """A graph that a tool does not run."""


def tool_of(path: str) -> str:
    found = Path(path)
    for folder in ("", "build/release"):
        if (found / folder / "weft").is_file():
            return str(found / folder / "weft")
    return path


def timed(tool: str, graph: str, options: argparse.Namespace) -> float:
    """Microseconds of a run: the least, which other programs disturb least."""
    words = [tool, "bench", "--graph", graph, "--size", options.size, "--format", options.format, "--device", "cpu",
             "--threads", str(options.threads), "--seconds", str(options.seconds), "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Unable((done.stderr.strip() or f"exit status {done.returncode}").splitlines()[0])
    return json.loads(done.stdout)["min_us"]


def ratio(graph: str, rounds: int, options: argparse.Namespace) -> tuple[float, float, float]:
    """The median of the rounds' ratios, and both tools' least times. Who begins changes from round to round."""
    ratios, least = [], [float("inf"), float("inf")]
    for number in range(rounds):
        took = [0.0, 0.0]
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            took[which] = timed((options.old, options.new)[which], graph, options)
            least[which] = min(least[which], took[which])
        ratios.append(took[1] / took[0])
    return statistics.median(ratios), *least


def examples(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Names and graphs, of the filters that were asked for or of all that users see; a graph stands for itself."""
    listed = subprocess.run([options.new, "list", "--all", "--json"], check=True, capture_output=True, text=True).stdout
    known = {each["name"]: each for each in json.loads(listed)}
    names = options.filters.split(",") if options.filters else [n for n, each in known.items() if not each["step_of"]]
    for name in names:
        if name not in known:
            raise SystemExit(f"beside.py: there is no filter '{name}'")
    return [(name, known[name]["example"]) for name in names] + [(graph, graph) for graph in options.graph]


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/beside.py", description=__doc__.splitlines()[0])
    parser.add_argument("old", type=tool_of, help="the tool to measure beside, or its build's folder")
    parser.add_argument("new", type=tool_of, help="the tool that is to be as fast")
    parser.add_argument("--filters", default="", help="only these, by commas; otherwise all that 'weft list' shows")
    parser.add_argument("--graph", action="append", default=[], help="this graph, too; may be given again")
    parser.add_argument("--format", default="u8x3", help="of the images")
    parser.add_argument("--size", default="1920x1080", help="of the images")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="of both tools, for each filter")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each tool in a round")
    parser.add_argument("--limit", type=float, default=3, metavar="PERCENT", help="slower than this fails")
    options = parser.parse_args()
    limit, slow, measured, passed_over = 1 + options.limit / 100, [], 0, 0
    for name, graph in examples(options):
        try:
            found, old, new = ratio(graph, options.rounds, options)
            if found > limit:
                found, old, new = ratio(graph, 3 * options.rounds, options)
        except Unable as error:
            print(f"{name:28} passed over: {error}", flush=True)
            passed_over += 1
            continue
        measured += 1
        if found > limit:
            slow.append(name)
        word = "  slower" if found > limit else ""
        print(f"{name:28} {old / 1000:10.3f} ms {new / 1000:10.3f} ms {found:7.3f}{word}", flush=True)
    print(f"{measured} measured, {passed_over} passed over, {len(slow)} slower by more than {options.limit:g} %"
          f"{': ' + ' '.join(slow) if slow else ''}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
