#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the weft tool with OpenCV, SciPy, scikit-image and Pillow on a photograph.

Each comparison is a line: the graph, the peer, the format, the largest and the mean difference, the tolerance and why
it is what it is. A tolerance in steps is of the integer format. Exit status 1 when one fails."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pictures
from compare import Suite

SUBJECTS = ("blurs", "means", "ranks", "stencils", "edges", "geometry", "colors", "blends", "effects", "reductions",
            "features", "tables", "distortions", "drawings", "files")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft", help="the weft tool")
    parser.add_argument("photo", help="a photograph")
    parser.add_argument("--device", default="auto", help="where weft runs")
    parser.add_argument("--subject", choices=SUBJECTS, action="append", help="only this; may be repeated")
    parser.add_argument("--only", default="", help="only graphs and peers that hold this text")
    options = parser.parse_args()
    if not shutil.which(options.weft):
        parser.error(f"'{options.weft}' is not a program; build weft first")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="weft-peers-") as name:
        folder = Path(name)
        suite = Suite(options.weft, ["--device", options.device], folder, pictures.load(options.photo, folder),
                      options.only)
        for subject in options.subject or SUBJECTS:
            __import__(subject).compare(suite)
    if suite.failures:
        print("\nfailures")
        print("\n".join(suite.failures))
    print(f"took {time.monotonic() - start:.1f} s")
    print(f"peers: {suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
