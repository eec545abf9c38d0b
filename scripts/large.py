#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""large.py [--side N] [--folder FOLDER] [--vulkan] [--graphs] [FORMAT...]: streams a large picture and measures the memory
it takes.

A picture of N x N pixels, 30000 unless it is given, goes through `gaussian=8,contrast=1.2` from a file of each format to
another, tif, png and jpg unless they are named, on the CPU by 2 and by 64 threads; with --vulkan TIFF also on the Vulkan
device, in bands that take 100 MB of its memory. Says how much was resident at most and fails above 300 MB. FOLDER, /tmp
unless it is given, must have room for three times 3 N^2 bytes. With --graphs other graphs go from TIFF to TIFF as well,
those that need whole images by way of temporary files (TMPDIR), and none may take more than --memory 1000 and a quarter;
that takes six times the room. What a Vulkan device makes may differ by one step of 255
from what the CPU does.
"""

import argparse
import os
import sys
import tempfile
import time

GRAPH = "gaussian=8,contrast=1.2"
MOST = 300e6  # bytes resident
DEVICE_MEMORY = "100"  # megabytes
GRAPHS = ("gaussian=100", "gaussian=200", "resize=400", "average_luminance_threshold", "pixellate", "canny", "transpose",
          "rotate=30", "hysteresis", "median=2")
MEMORY = 1000  # megabytes, for these
NOISE_ROWS = 97  # after so many rows the noise comes again


def write_noise(name, side):
    """A picture that no codec makes small, as binary PPM."""
    noise = os.urandom(3 * (side + NOISE_ROWS))
    with open(name, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (side, side))
        for y in range(side):
            start = 3 * (y % NOISE_ROWS)
            file.write(noise[start:start + 3 * side])


def measured(tool, *words, most=MOST):
    """Runs the tool; whether it did what it should, in how much memory and how long."""
    start = time.monotonic()
    process = os.posix_spawn(tool, [tool, *words], os.environ)
    _, status, usage = os.wait4(process, 0)
    peak = usage.ru_maxrss * 1024
    good = status == 0 and peak < most
    print(f"{'' if good else 'FAILED: '}{' '.join(os.path.basename(word) for word in words)}: "
          f"{peak / 1e6:.0f} MB in {time.monotonic() - start:.0f} s, status {status}", flush=True)
    return good


def largest_difference(first, second):
    """Of the pixels of two binary PPM files of one size, in steps; 256 where they are not of one size."""
    largest = 0
    with open(first, "rb") as a, open(second, "rb") as b:
        while True:
            x, y = a.read(1 << 22), b.read(1 << 22)
            if len(x) != len(y):
                return 256
            if not x:
                return largest
            if x != y:
                largest = max(largest, max(abs(i - j) for i, j in zip(x, y)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=30000)
    parser.add_argument("--folder", default="/tmp")
    parser.add_argument("--tool", default="build/release/weft")
    parser.add_argument("--vulkan", action="store_true")
    parser.add_argument("--graphs", action="store_true")
    parser.add_argument("formats", nargs="*", default=["tif", "png", "jpg"])
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    results = []
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        os.chdir(folder)
        write_noise("in.ppm", options.side)
        for extension in options.formats:
            results.append(measured(tool, "run", "--device", "cpu", "in.ppm", "contrast=1", "in." + extension))
            for threads in ("2", "64"):
                results.append(measured(tool, "run", "--device", "cpu", "--threads", threads, "in." + extension, GRAPH,
                                        "out." + extension))
            os.remove("in." + extension)
            os.remove("out." + extension)
        if options.graphs:
            measured(tool, "run", "--device", "cpu", "in.ppm", "contrast=1", "in.tif")
            for graph in GRAPHS:
                results.append(measured(tool, "run", "--device", "cpu", "--memory", str(MEMORY), "in.tif", graph,
                                        "out.tif", most=1.25e6 * MEMORY))
            os.remove("in.tif")
            os.remove("out.tif")
        if options.vulkan:
            measured(tool, "run", "--device", "cpu", "in.ppm", "contrast=1", "in.tif")
            os.remove("in.ppm")
            results.append(measured(tool, "run", "--device", "vulkan", "--device-memory", DEVICE_MEMORY, "in.tif", GRAPH,
                                    "vulkan.ppm"))
            results.append(measured(tool, "run", "--device", "cpu", "in.tif", GRAPH, "cpu.ppm"))
            difference = largest_difference("cpu.ppm", "vulkan.ppm")
            print(f"Vulkan and the CPU differ by {difference} steps at most")
            results.append(difference <= 1)
        os.chdir("/")
    print(f"large: {sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


main()
