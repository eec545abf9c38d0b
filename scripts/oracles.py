#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares filters with OpenCV, SciPy, Pillow and formulas in double precision on random pictures and parameters.

Each filter of tests/peers/draw_*.py gets the same share of the time, or as many cases as --cases says; a case follows
from the seed, the filter and the case's number alone. A failure prints the command that repeats it. Exit status 1 when
one fails, or when docs/oracles.md, which --page writes, does not list the filters as they are."""

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "tests" / "peers"
PAGE = ROOT / "docs" / "oracles.md"


def with_peers() -> None:
    """Goes on in a Python that has the peers; without one the suite is skipped, and says so."""
    if os.environ.get("WEFT_PEERS_PYTHON"):
        return
    found = subprocess.run([str(PEERS / "python.sh")], capture_output=True, text=True)
    if found.returncode:
        print(f"oracles: skipped: {found.stderr.strip()}\noracles: 0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    python = found.stdout.strip()
    os.execve(python, [python, *sys.argv], {**os.environ, "WEFT_PEERS_PYTHON": python})


def compare(driver, row, seed: int, number: int) -> tuple[str, str]:
    """The graph of a case, and what is wrong with it: nothing for ''."""
    import numpy as np

    from draws import Draw
    from pictures import FULL_SCALE
    draw = Draw([seed, zlib.crc32(row.name.encode()), number])
    height, width = draw.side(row.least, row.side), draw.side(row.least, row.side)
    format = draw.one(row.formats)
    kind = format.split("x")[0]
    pictures = [draw.picture(format, height, width) for _ in range(row.inputs)]
    case = row.make(draw, *pictures)
    words = f"{width}x{height} {format} {case.graph}"
    try:
        made = driver.run(case.graph, *pictures, *case.more, before=case.before, type="" if pictures else kind)
    except RuntimeError as error:
        return words, f"weft says: {error}"
    expected = np.atleast_3d(case.expected)
    if made.shape != expected.shape:
        return words, f"weft made {made.shape}, the peer {expected.shape}"
    where = np.broadcast_to(case.where, made.shape)
    full = 1.0 if made.dtype == np.float64 else FULL_SCALE[kind]  # numbers of a reduction are of full scale 1
    made = made.astype(np.float64)
    if full > 1:
        expected = np.clip(expected, 0, 1)
    limit = case.tolerance * full + (0.5 + row.steps + 1e-6 * full if full > 1 else 0)
    difference = np.where(where, np.abs(made - expected * full), 0)
    worst = np.unravel_index(np.argmax(np.where(np.isnan(difference), np.inf, difference)), difference.shape)
    if difference[worst] <= limit:
        return words, ""
    y, x, channel = (int(v) for v in worst)
    return words, (f"at {x},{y} channel {channel} weft made {made[worst]:.8g}, {row.peer} "
                   f"{expected[worst] * full:.8g}; {difference[worst]:.3g} apart, {limit:.3g} allowed")


def page(rows: list) -> str:
    """Which filters are compared with what is not weft."""
    lines = "\n".join(f"| {row.name} | {row.peer} |" for row in sorted(rows, key=lambda row: row.name))
    return f"""# Oracles

<!-- written by scripts/oracles.py --page -->
`scripts/oracles.py` compares {len(rows)} filters with what is not weft, on random pictures, sizes, formats and
parameters: all that `weft list` shows. Those that `weft list --all` shows beside them are steps that others are made of,
and are compared as parts of these; as nothing outside of weft has them, most have no oracle of their own. `--missing` lists
filters without one. The harness compares all filters with the reference device, and `tests/peers/` many of them on
photographs.

| filter | compared with |
|---|---|
{lines}
"""


def names(weft: Path, steps: bool = False) -> list[str]:
    """Of the filters that users see, or with `steps` of all."""
    said = subprocess.run([str(weft), "list", "--json"], check=True, capture_output=True, text=True).stdout
    return sorted(each["name"] for each in json.loads(said) if steps or not each["step_of"])


def without(rows: list, weft: Path) -> list[str]:
    """The filters that users see and that have none."""
    return sorted(set(names(weft)) - {row.name for row in rows})


def missing(rows: list, weft: Path) -> None:
    """Prints which filters have none."""
    peers, users, every = {row.name for row in rows}, names(weft), names(weft, steps=True)
    print(f"{len(peers & set(every))} of {len(every)} filters have an oracle, {len(peers & set(users))} of the "
          f"{len(users)} that 'weft list' shows. Without:")
    print(" ".join(without(rows, weft)))
    print("steps:", " ".join(name for name in every if name not in peers and name not in users))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0, help="for all filters together")
    parser.add_argument("--cases", type=int, default=0, help="for each filter; without this and --seconds, 300")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--filter", default="", help="only this one")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--build", default=str(ROOT / "build" / "release"), help="the folder of the build")
    parser.add_argument("--page", action="store_true", help="write docs/oracles.md and end")
    parser.add_argument("--missing", action="store_true", help="list the filters without an oracle and end")
    options = parser.parse_args()
    with_peers()
    sys.path.insert(0, str(PEERS))
    from driver import Driver
    all_rows = [row for path in sorted(PEERS.glob("draw_*.py")) for row in importlib.import_module(path.stem).ROWS]
    listed = page(all_rows)
    if options.page:
        PAGE.write_text(listed)
        return 0
    if options.missing:
        missing(all_rows, Path(options.build) / "weft")
        return 0
    rows = [row for row in all_rows if options.filter in ("", row.name)]
    if not rows:
        parser.error(f"there is no filter '{options.filter}' among the oracles")
    driver = Driver(str(Path(options.build) / "tests" / "peers_driver.so"), options.device)
    most = options.cases or (1 << 40 if options.seconds else 300)
    passed = failed = 0
    if not options.filter and without(all_rows, Path(options.build) / "weft"):
        print("FAIL filters that 'weft list' shows have no oracle: scripts/oracles.py --missing names them", flush=True)
        failed += 1
    if not options.filter and (not PAGE.exists() or PAGE.read_text() != listed):
        print("FAIL docs/oracles.md is not what the filters are: scripts/oracles.py --page writes it", flush=True)
        failed += 1
    for row in rows:
        end = time.monotonic() + options.seconds / len(rows) if options.seconds else float("inf")
        wrong = number = 0
        while number < most and time.monotonic() < end:
            words, fault = compare(driver, row, options.seed, options.first + number)
            if fault and wrong < 3:
                print(f"FAIL {words}: {fault}\n     scripts/oracles.py --seed {options.seed} --filter {row.name} "
                      f"--first {options.first + number} --cases 1", flush=True)
            wrong += bool(fault)
            number += 1
        print(f"{'FAIL' if wrong else 'ok':4} {row.name:24} {row.peer:24} {number} cases, {wrong} failed", flush=True)
        passed, failed = passed + number - wrong, failed + wrong
    print(f"oracles: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
