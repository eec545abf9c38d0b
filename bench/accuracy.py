#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how far weft's results, on every path, and its peers' are from results in double precision, and writes
docs/accuracy.md.

--missing measures only filters whose example has no row on the page, and takes out rows of filters that are gone.
--check measures nothing: it fails where the page has a row of no filter's example, and names the filters that have no
row yet."""

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "accuracy.md"
INTRODUCTION = """<!-- Written by bench/accuracy.py from measurements: do not edit. -->
# Accuracy

How far results are from the truth: weft's reference device, which computes everything in double precision by obvious
loops, and which `make test` compares with SciPy. The picture is the shipped photograph. Errors are the largest of all
values: of u8 in steps of 8 bits, where a result that is rounded once from the truth is within 0.5, and of f32 in
fractions of full scale. In brackets is the share of values that are off by more than 1 step, or in f32 by more than
0.001: where a filter decides, by a threshold or a comparison, a value that is as good as on the limit may fall on the other
side, and a color that is divided by an alpha of next to nothing is stored as coarsely as that.

`bench/accuracy.sh` measures all of this and writes this page; `bench/accuracy.sh --missing` measures new filters only.
"""
PEERS = """## Beside other libraries

Everybody has the same picture of 512x384 and is compared with the truth for the border that it has. A gaussian of
radius r is cut there by the peers, at 3 sigma, as OpenCV does by itself in u8, or at 4, as OpenCV in f32 and SciPy do;
weft and FFmpeg get sigma alone. FFmpeg's gblur takes its own number of steps. A convolution is compared without the
outermost pixels, which Pillow leaves alone.
"""
HEADING = "## Every filter on every path"
FILTERS = HEADING + """

The example of each filter on the CPU, by each instruction set that the machine has, and on GPUs{software}. Numbers,
which have no u8 form, are compared relative to what they are.
"""


def listed(weft: str) -> dict[str, str]:
    """The example of each filter."""
    return {item["name"]: item["example"] for item in json.loads(subprocess.check_output([weft, "list", "--json"]))}


def command_of(weft: str, name: str) -> list[str]:
    """The command of a filter's example, as help shows it, after the program's name."""
    lines = subprocess.check_output([weft, "help", name], text=True).split("\n")
    return shlex.split(lines[lines.index("example") + 1])[1:]


def code(text: str) -> str:
    """As code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def start_of_row(name: str, example: str) -> str:
    return f"| {name} | {code(example)} |"


def table(heads: list[str], rows: list[str]) -> list[str]:
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *rows, ""]


def peer_tables(weft: str, pythons: dict[str, str], folder: Path) -> list[str]:
    from peer_errors import FFMPEG, measure
    from sides import open_environments

    environments = open_environments(pythons, 1)
    versions = [peer["version"] for environment in environments for peer in environment.peers.values()]
    sides = ["weft", *versions, FFMPEG]
    rows: dict[str, list[str]] = {"u8": [], "f32": []}
    seen: dict[str, set[str]] = {"u8": set(), "f32": set()}
    for cell, errors in measure(weft, environments, folder):
        print(f"{cell.name}: {errors['weft']}", flush=True)
        seen[cell.type] |= set(errors)
        cut = f", cut at {cell.reach:g} sigma" if cell.filter == "gaussian" else ""
        rows[cell.type].append((f"{cell.name}{cut}", errors))
    for environment in environments:
        environment.close()
    lines = [PEERS]
    for type, unit in (("u8", "u8, in steps of 8 bits"), ("f32", "f32, in fractions of full scale")):
        shown = [side for side in sides if side in seen[type]]
        lines += [f"### {unit}", ""]
        figures = [[name, *(str(errors.get(side, "")) for side in shown)] for name, errors in rows[type]]
        lines += table(["cell", *shown], ["| " + " | ".join(row) + " |" for row in figures])
    return lines


def rows_of(page: str) -> dict[str, str]:
    """The rows of the page's last table, by their first two cells."""
    return {match[1]: match[0] for match in re.finditer(r"^(\| \w+ \| `.*?` \|) .*$", page.partition(HEADING)[2], re.M)}


def filter_table(weft: str, folder: Path, known_rows: dict[str, str]) -> list[str]:
    """Measures what has no row yet."""
    from filter_errors import measure_all, paths

    examples, known = listed(weft), list(paths(weft))
    starts = {name: start_of_row(name, example) for name, example in examples.items()}
    rows = dict(known_rows)
    left = {name: command_of(weft, name) for name, start in starts.items() if start not in rows}
    for name, errors in measure_all(weft, left, folder):
        print(f"{name}: " + ", ".join(f"{path} {error}" for path, error in errors["f32"].items()), flush=True)
        figures = [str(errors[type][path]) for type in ("u8", "f32") for path in known]
        rows[starts[name]] = f"{starts[name]} {' | '.join(figures)} |"
    heads = heads_of(known)
    described = subprocess.check_output([weft, "devices"], text=True)
    software = any("software" in line for line in described.split("\n") if line.startswith("vulkan"))
    note = "; here Vulkan is Mesa's software device" if software and "vulkan" in known else ""
    return [FILTERS.replace("{software}", note), *table(heads, [rows[start] for start in starts.values()])]


def heads_of(paths: list[str]) -> list[str]:
    return ["filter", "example", *(f"{type} {path}" for type in ("u8", "f32") for path in paths)]


def complete(weft: str, folder: Path) -> list[str] | None:
    """The page with rows for filters that have none; None where this machine has other paths than the page."""
    from filter_errors import paths

    text = PAGE.read_text(encoding="utf-8")
    if "| " + " | ".join(heads_of(list(paths(weft)))) + " |\n" not in text:
        return None
    return [text.partition(HEADING)[0].rstrip() + "\n", *filter_table(weft, folder, rows_of(text))]


def check(weft: str) -> int:
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    examples = listed(weft)
    starts = {start_of_row(name, example) for name, example in examples.items()}
    there = set(rows_of(text))
    missing = [name for name, example in examples.items() if start_of_row(name, example) not in there]
    wrong = [f"docs/accuracy.md has a row of no filter's example: {start}" for start in sorted(there - starts)]
    if not starts & there:
        wrong.append("docs/accuracy.md has no row of any filter")
    # A new filter costs one file and no measurement: what has no row yet is said, first, and is no failure.
    if missing:
        print(f"no row in docs/accuracy.md yet, until bench/accuracy.sh --missing: {', '.join(missing)}")
    print("".join(line + "\n" for line in wrong), end="")
    print(f"accuracy: {len(starts & there)} passed, {len(wrong)} failed, {len(missing)} skipped")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/accuracy.sh", description=__doc__)
    parser.add_argument("--weft", default="build/release/weft", help="the weft tool")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH", help="has peers")
    parser.add_argument("--missing", action="store_true", help="measure filters that the page lacks, and no more")
    parser.add_argument("--check", action="store_true", help="is every row of the page about a filter that there is?")
    options = parser.parse_args()
    weft = str(Path(options.weft).resolve())
    if options.check:
        return check(weft)
    with tempfile.TemporaryDirectory(prefix="weft-accuracy-") as name:
        if options.missing:
            lines = complete(weft, Path(name))
        else:
            peers = peer_tables(weft, dict(word.split("=", 1) for word in options.python), Path(name))
            lines = [INTRODUCTION, *peers, *filter_table(weft, Path(name), {})]
    if lines is None:
        print(f"accuracy: {PAGE} is about other instruction sets or GPUs than this machine has", file=sys.stderr)
        return 1
    PAGE.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
