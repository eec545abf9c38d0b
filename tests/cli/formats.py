# SPDX-License-Identifier: MIT
"""Files of every format: what is kept of them, and how much memory they take."""

import os

import tool
from tool import check, check_in, need, weft


def has_format(extension):
    """Whether this build writes such files."""
    status, errors = tool.outcome("run", "-", "invert", "x." + extension, data=tool.pam(1, 1, 1, b"\0"))
    if status == 0:
        os.remove("x." + extension)
    return status == 0 or "no file format" not in errors


def peak_memory(*words):
    """Bytes that the tool took at most."""
    process = os.posix_spawn(tool.path, [tool.path, *words], os.environ)
    _, status, usage = os.wait4(process, 0)
    check(status == 0, f"weft {' '.join(words)}: status {status}")
    return usage.ru_maxrss * 1024


def test_large_files_stream():
    """Pictures go from file to file in much less memory than their pixels take, by any number of threads."""
    need("gaussian", "contrast")
    side = 6000
    row = tool.pixels(side, 1, 3)
    with open("in.ppm", "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (side, side))
        for y in range(side):
            file.write(row[3 * (y % 100):] + row[:3 * (y % 100)])
    for extension in filter(has_format, ("ppm", "tif", "jpg", "png")):
        name = "in." + extension
        if extension != "ppm":
            weft("run", "in.ppm", "contrast=1", name)
        for threads in (1, 8):
            peak = peak_memory("run", "--device", "cpu", "--threads", str(threads), name, "gaussian=8,contrast=1.2",
                               "out." + extension)
            check(peak < side * side * 3, f"{name} by {threads} threads: {peak / 1e6:.0f} MB")


def test_pixel_limit():
    tool.write_ppm("in.ppm", 64, 48)
    _, errors = weft("run", "--pixel-limit", "3071", "in.ppm", "invert", "out.ppm", status=1)
    check_in("64x48 pixels are more than the pixel limit of 3071", errors)
    weft("run", "--pixel-limit", "3072", "in.ppm", "invert", "out.ppm")
    weft("run", "--pixel-limit", "0", "in.ppm", "invert", "out.ppm", status=2)
    with open("bomb.pgm", "wb") as file:
        file.write(b"P5\n40000 40000\n255\n")
    _, errors = weft("run", "bomb.pgm", "invert", "out.pgm", status=1)
    check_in("more than the pixel limit", errors)
