#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""join.py OLD NEW JOINED: what bench/run.sh --json measured last of each cell, where NEW has only some of OLD's: all of
them take long. What is computed from cells is computed again."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import checks
import report
from timing import Timing


def key(cell: dict) -> tuple:
    return tuple(cell[name] for name in ("filter", "format", "radius", "threads"))


def main() -> int:
    old, new = (json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3])
    if (old["machine"], old["size"]) != (new["machine"], new["size"]):
        print("join: measured on other machines, or other sizes", file=sys.stderr)
        return 1
    cells = {key(cell): cell for cell in old["cells"]} | {key(cell): cell for cell in new["cells"]}
    timings = [Timing.restored(cell) for cell in cells.values()]
    done = list(checks.of_cells(timings))
    computed = {check.what.split(" of ")[0] for check in done}
    runs = {(check["what"], check["threads"]): check for check in [*old["checks"], *new["checks"]]
            if check["what"].split(" of ")[0] not in computed}
    for check in runs.values():
        check.pop("met")
        done.append(checks.Check(**check))
    joined = {**new, "differences": {**old["differences"], **new["differences"]}, "cells": list(cells.values()),
              "checks": [{**asdict(check), "met": check.met} for check in done], "missed": report.missed(timings, done),
              "failures": [*old["failures"], *new["failures"]]}
    Path(sys.argv[3]).write_text(json.dumps(joined, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
