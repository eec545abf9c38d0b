#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench.py [--size 1920x1080] [--threads 1] [--seconds 1.5] [--markdown] [--only NAME]: weft's Python package beside OpenCV and
SciPy, from Python, on calls that are the same. The libraries take turns; shown are the fastest run of each in milliseconds and how
many times as long as weft they take. Each result is compared with the peer's before. SciPy has one thread, and takes single planes:
so does weft beside it."""

import argparse
import math
import os
import sys
import time

sys.path[:] = [path for path in sys.path if os.path.abspath(path) != os.path.dirname(os.path.abspath(__file__))]  # pyweft's sources

import cv2  # noqa: E402
import numpy  # noqa: E402
import pyweft as weft  # noqa: E402
from scipy import ndimage  # noqa: E402

LONGEST = 60  # turns


class Call:
    """The same in weft, in OpenCV and in SciPy; None where there is none. `step` is what results may differ by."""

    def __init__(self, name, ours, opencv=None, scipy=None, step=1, grey=False):
        self.name, self.ours, self.opencv, self.scipy, self.step, self.grey = name, ours, opencv, scipy, step, grey


def turned(width, height):
    """A turn by 10 degrees about the middle, as OpenCV's matrix of where pixels go."""
    return cv2.getRotationMatrix2D((width / 2, height / 2), 10, 1)


def calls(width, height):
    square, matrix = numpy.ones((9, 9), "uint8"), turned(width, height)
    half = (width // 2, height // 2)
    return [
        Call("gaussian, sigma 4", lambda a, d: weft.gaussian(a, 4, device=d), lambda a: cv2.GaussianBlur(a, (0, 0), 4),
             lambda a: ndimage.gaussian_filter(a, 4, mode="mirror"), 2),
        Call("box, 15 x 15", lambda a, d: weft.box(a, 7, device=d), lambda a: cv2.blur(a, (15, 15)),
             lambda a: ndimage.uniform_filter(a, 15, mode="mirror"), 2),
        Call("median, 5 x 5", lambda a, d: weft.median(a, 2, border="replicate", device=d), lambda a: cv2.medianBlur(a, 5),
             lambda a: ndimage.median_filter(a, 5, mode="nearest"), 0),
        Call("bilateral, radius 4", lambda a, d: weft.bilateral(a, 3, 0.2, 4, device=d),
             lambda a: cv2.bilateralFilter(a, 9, 51, 3)),
        Call("dilate, 9 x 9", lambda a, d: weft.dilate(a, 4, border="shrink", device=d), lambda a: cv2.dilate(a, square),
             lambda a: ndimage.grey_dilation(a, 9, mode="nearest"), 0),
        Call("close by an ellipse, 9 x 9", lambda a, d: weft.structure(a, "close", "ellipse", 4, border="shrink", device=d),
             lambda a: cv2.morphologyEx(a, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))), None, 0),
        Call("3 x 3 kernel", lambda a, d: weft.convolve3x3(a, (-2, -1, 0, -1, 1, 1, 0, 1, 2), device=d),
             lambda a: cv2.filter2D(a, -1, numpy.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2.0]]))),
        Call("canny", lambda a, d: weft.canny(a, 100, 200, sigma=0, unit="levels", device=d), lambda a: cv2.Canny(a, 100, 200),
             None, 0, True),
        Call("half the size, area", lambda a, d: weft.resample(a, *half, "area", device=d),
             lambda a: cv2.resize(a, half, interpolation=cv2.INTER_AREA)),
        Call("turned by 10 degrees", lambda a, d: weft.affine(a, matrix.ravel(), device=d),
             lambda a: cv2.warpAffine(a, matrix, (width, height)), None, 2),
        Call("grey of color", lambda a, d: weft.grayscale(a, (0.299, 0.587, 0.114), device=d)[..., 0],
             lambda a: cv2.cvtColor(a, cv2.COLOR_RGB2GRAY)),
        Call("clahe", lambda a, d: weft.clahe(a, 2, device=d), lambda a: cv2.createCLAHE(2.0, (8, 8)).apply(a), None, 1, True),
    ]


def fastest(functions, seconds):
    """The fastest of several runs of each, which take turns."""
    best, begun, turns = [math.inf] * len(functions), time.perf_counter(), 0
    while turns < 3 or (turns < LONGEST and time.perf_counter() - begun < seconds):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            best[i] = min(best[i], time.perf_counter() - start)
        turns += 1
    return best


def compare(call, ours, theirs, peer):
    apart = numpy.abs(ours.astype(int) - theirs).max()
    if ours.shape != theirs.shape or apart > call.step:
        raise SystemExit(f"bench.py: {call.name}: weft and {peer} differ by {apart}, which is more than {call.step}")


def measure(call, picture, device, single, seconds):
    """Milliseconds of weft and OpenCV on the picture, of weft and SciPy on one plane of it; NaN for what is not there."""
    image = picture[..., 1].copy() if call.grey else picture
    compare(call, call.ours(image, device), call.opencv(image), "OpenCV")
    times = fastest([lambda: call.ours(image, device), lambda: call.opencv(image)], seconds)
    if call.scipy:
        plane = picture[..., 1].copy()
        compare(call, call.ours(plane, single), call.scipy(plane), "SciPy")
        times += fastest([lambda: call.ours(plane, single), lambda: call.scipy(plane)], seconds)
    return [1000 * value for value in times] + [math.nan] * (4 - len(times))


def main():
    options = argparse.ArgumentParser(description=__doc__.split(":", 1)[1].strip())
    options.add_argument("--size", default="1920x1080", help="WIDTHxHEIGHT of the picture")
    options.add_argument("--threads", type=int, default=1, help="of weft and of OpenCV")
    options.add_argument("--seconds", type=float, default=1.5, help="for each row and peer")
    options.add_argument("--markdown", action="store_true", help="as a table of the documentation")
    options.add_argument("--only", default="", help="rows whose name has this in it")
    chosen = options.parse_args()
    width, height = (int(side) for side in chosen.size.split("x"))
    cv2.setNumThreads(chosen.threads)
    device, single = weft.Device("cpu", threads=chosen.threads), weft.Device("cpu", threads=1)
    noise = numpy.random.default_rng(1).integers(0, 256, (height // 8 + 1, width // 8 + 1, 3), dtype="uint8")
    picture = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    print(f"{width}x{height}, uint8, {chosen.threads} thread{'s' * (chosen.threads > 1)}, OpenCV {cv2.__version__}, milliseconds\n")
    head = ("call", "weft", "OpenCV", "times", "weft, plane", "SciPy", "times")
    form = "| {:27} | {:>8} | {:>8} | {:>6} | {:>11} | {:>8} | {:>6} |" if chosen.markdown else \
        "{:27} {:>8} {:>8} {:>6}  {:>11} {:>8} {:>6}"
    print(form.format(*head))
    if chosen.markdown:
        print("|---|---:|---:|---:|---:|---:|---:|")
    slower = []
    for call in calls(width, height):
        if chosen.only not in call.name:
            continue
        ours, opencv, plane, scipy = measure(call, picture, device, single, chosen.seconds)
        words = [f"{value:.2f}" if value == value else "" for value in (ours, opencv, opencv / ours, plane, scipy, scipy / plane)]
        print(form.format(call.name, *words), flush=True)
        slower += [call.name] if opencv < ours or scipy < plane else []
    print(f"\nslower than a peer: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    main()
