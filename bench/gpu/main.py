#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times weft, by CUDA and by Vulkan, beside NPP, CuPy and OpenCV on the same GPU in one go and prints multiples of a copy
of the same bytes, and the ratio of weft's time to that of the fastest peer: below 1 weft is faster. It needs CuPy, which
holds the images; peers that are not there are left out, with a word."""

import argparse
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

import images
from cell import Cell
from timing import Timing

PEERS = ("npp_peer", "cupy_peer", "opencv_peer")
FORMATS = ("u8x1", "u8x4", "f32x1")
RADII = (1, 2, 4, 7, 8, 16, 32, 64)
MEDIAN_RADII = (1, 2, 3, 7)
VULKAN = "weft, Vulkan"


def cells(width: int, height: int) -> Iterator[Cell]:
    for filter in ("gaussian", "box", "dilate", "median"):
        for format in FORMATS:
            for radius in MEDIAN_RADII if filter == "median" else RADII:
                graph = f"gaussian={radius / 3:.6g}:radius={radius}" if filter == "gaussian" else f"{filter}={radius}"
                if filter != "median" or format != "f32x1":
                    yield Cell(filter, graph, format, radius, width, height)


def run_weft(tool: str, device: str, cell: Cell, seconds: float) -> dict | None:
    words = [tool, "bench", "--json", "--device", device, "--size", f"{cell.width}x{cell.height}", "--format", cell.format,
             "--alpha", "none", "--seconds", str(seconds), "--graph", cell.graph]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        print(f"gpu bench: weft on {device}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def open_peers() -> list:
    peers = []
    for name in PEERS:
        try:
            peers.append(importlib.import_module(name))
        except (ImportError, AttributeError) as error:
            print(f"gpu bench: without {name.removesuffix('_peer')}: {error}", file=sys.stderr)
    return peers


def time_cell(cell: Cell, peers: list, tool: str, seconds: float) -> Timing:
    cuda, vulkan = (run_weft(tool, device, cell, seconds) for device in ("cuda", "vulkan"))
    if cuda is None:
        raise SystemExit("gpu bench: weft finds no CUDA device")
    held = images.Images(cell)
    copy, factor = held.time(images.copy, seconds), 1.0
    timing = Timing(cell, 1, cuda["time_us"], copy, {})
    if vulkan:
        # By its own copy, so that clocks that differ between runs do not count.
        factor = copy / vulkan["copy_us"]
        timing.peers[VULKAN] = vulkan["time_us"] * factor
    timing.weft = cuda["time_us"] * copy / cuda["copy_us"]
    for peer in peers:
        try:
            call = peer.call(cell)
            if call is not None:
                timing.peers[peer.version()] = held.time(call, seconds)
        except Exception as error:  # whatever a peer throws, the others go on
            print(f"gpu bench: {peer.version()}: {cell.name}: {error}", file=sys.stderr)
    return timing


def row(timing: Timing, names: list[str]) -> str:
    others = {name: us for name, us in timing.peers.items() if name != VULKAN}
    words = [timing.cell.filter, timing.cell.format, str(timing.cell.radius), f"{timing.weft / timing.copy:.2f}"]
    words += [f"{timing.peers[name] / timing.copy:.2f}" if name in timing.peers else "" for name in names]
    words.append(f"{timing.weft / min(others.values()):.2f}" if others else "no peer")
    return "| " + " | ".join(words) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/gpu/main.py", description=__doc__)
    parser.add_argument("--weft", default="build/release/weft", help="the weft tool")
    parser.add_argument("--size", default="7680x4320", help="of the images")
    parser.add_argument("--filter", default="", help="only cells whose name holds one of these words, by commas")
    parser.add_argument("--seconds", type=float, default=0.15, help="to measure each side of a cell for")
    parser.add_argument("--json", metavar="FILE", help="write what bench/plots.py FILE gpu- draws")
    options = parser.parse_args()
    width, height = (int(side) for side in options.size.split("x"))
    peers = open_peers()
    names = [VULKAN, *(peer.version() for peer in peers)]
    words = options.filter.split(",")
    chosen = [cell for cell in cells(width, height) if any(word in cell.name for word in words)]
    print(f"{options.size}, multiples of a copy of the same bytes\n")
    print("| filter | format | radius | weft, CUDA | " + " | ".join(names) + " | weft, CUDA / best peer |")
    print("|" + "---|" * (len(names) + 5))
    timings = []
    for cell in chosen:
        timings.append(time_cell(cell, peers, options.weft, options.seconds))
        print(row(timings[-1], names), flush=True)
    if options.json:
        stored = {"machine": "", "size": options.size, "cells": [timing.stored() for timing in timings]}
        Path(options.json).write_text(json.dumps(stored, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
