#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times weft beside OpenCV, SciPy and Pillow, and prints the ratios of the times: below 1 weft is faster.

Both sides filter images in memory, take turns over more of them than the caches hold, and are told by their median.
Both have the same number of threads; SciPy and Pillow have one, and so has weft beside them."""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import cv2
import numpy as np
from PIL import Image, ImageFilter
from scipy import ndimage

BEYOND_CACHES = 256 << 20
TYPES = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}
Peer = Callable[[np.ndarray, np.ndarray], object]  # of a source, and a result of the same shape to be used if it can


@dataclass
class Row:
    """One line of the table: a graph, and the peer's call that does the same."""
    graph: str
    format: str
    peer: str
    call: Peer
    threads: bool = True  # the peer can use several
    pillow: bool = False  # the peer takes Pillow's images


@dataclass
class Result:
    graph: str
    format: str
    peer: str
    threads: int
    weft_us: float
    peer_us: float
    ratio: float


def kernel(radius: int) -> np.ndarray:
    return np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)


def blurs() -> list[Row]:
    rows = []
    for format in ("u8x1", "u8x4", "u16x1", "f32x1", "f32x3"):
        for sigma in (1, 3, 10, 30):
            rows.append(Row(f"gaussian={sigma}", format, "cv2 GaussianBlur",
                            lambda s, d, sigma=sigma: cv2.GaussianBlur(s, (0, 0), sigma, dst=d)))
        for radius in (1, 8, 32):
            rows.append(Row(f"box={radius}", format, "cv2 blur",
                            lambda s, d, size=2 * radius + 1: cv2.blur(s, (size, size), dst=d)))
    for sigma in (3, 10):
        rows.append(Row(f"gaussian={sigma}", "f32x1", "scipy gaussian_filter",
                        lambda s, d, sigma=sigma: ndimage.gaussian_filter(s, sigma, output=d, mode="mirror"), False))
        rows.append(Row(f"gaussian={sigma}", "u8x3", "Pillow GaussianBlur",
                        lambda s, d, sigma=sigma: s.filter(ImageFilter.GaussianBlur(sigma)), False, True))
    rows.append(Row("box=8", "u8x3", "Pillow BoxBlur", lambda s, d: s.filter(ImageFilter.BoxBlur(8)), False, True))
    return rows


def windows() -> list[Row]:
    rows = []
    for format in ("u8x1", "u8x4", "f32x1"):
        for radius in (1, 8, 32):
            rows.append(Row(f"dilate={radius}", format, "cv2 dilate",
                            lambda s, d, shape=kernel(radius): cv2.dilate(s, shape, dst=d)))
    for format, radius in (("u8x1", 1), ("u8x1", 2), ("u8x1", 7), ("u8x3", 2), ("u16x1", 2), ("f32x1", 2)):
        rows.append(Row(f"median={radius}:border=replicate", format, "cv2 medianBlur",
                        lambda s, d, size=2 * radius + 1: cv2.medianBlur(s, size, dst=d)))
    for format, scale in (("u8x1", 255), ("u8x3", 255), ("f32x1", 1)):
        rows.append(Row("bilateral=3:0.1:4", format, "cv2 bilateralFilter",
                        lambda s, d, scale=scale: cv2.bilateralFilter(s, 9, 0.1 * scale, 3, dst=d)))
    return rows


def kernels() -> list[Row]:
    taps = np.exp(-np.linspace(-2, 2, 17) ** 2)
    taps /= taps.sum()
    weights = "|".join(f"{tap:.6f}" for tap in taps)
    sharpen = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)
    rows = []
    for format in ("u8x1", "f32x1"):
        rows.append(Row(f"correlate_separable={weights}:{weights}", format, "cv2 sepFilter2D",
                        lambda s, d: cv2.sepFilter2D(s, -1, taps, taps, dst=d)))
        rows.append(Row("convolve3x3=0|-1|0|-1|5|-1|0|-1|0", format, "cv2 filter2D",
                        lambda s, d: cv2.filter2D(s, -1, sharpen, dst=d)))
        rows.append(Row("laplacian", format, "cv2 Laplacian", lambda s, d: cv2.Laplacian(s, -1, dst=d)))
        rows.append(Row("sobel=x", format, "cv2 Sobel", lambda s, d: cv2.Sobel(s, -1, 1, 0, dst=d)))
    return rows


def others(width: int, height: int) -> list[Row]:
    half = (width // 2, height // 2)
    sepia = np.array([[0.3588, 0.7044, 0.1368], [0.299, 0.587, 0.114], [0.2392, 0.4696, 0.0912]])
    matrix = "|".join(f"{value:g}" for value in np.pad(sepia, ((0, 1), (0, 1))).flat)
    rows = []
    for format in ("u8x3", "f32x3"):
        rows += [Row(f"resize={half[0]}:{half[1]}:method=area", format, "cv2 INTER_AREA",
                     lambda s, d: cv2.resize(s, half, interpolation=cv2.INTER_AREA)),
                 Row("flip", format, "cv2 flip", lambda s, d: cv2.flip(s, 1, dst=d)),
                 Row("transpose", format, "cv2 transpose", lambda s, d: cv2.transpose(s)),
                 Row("grayscale", format, "cv2 cvtColor", lambda s, d: cv2.cvtColor(s, cv2.COLOR_RGB2GRAY)),
                 Row(f"color_matrix={matrix}", format, "cv2 transform", lambda s, d: cv2.transform(s, sepia, dst=d)),
                 Row("contrast=1.5", format, "cv2 addWeighted",
                     lambda s, d: cv2.addWeighted(s, 1.5, s, 0, -0.25 if s.dtype == np.float32 else -63.75, dst=d))]
    rows += [Row(f"resize={half[0]}:{half[1]}:method=lanczos3", "u8x3", "Pillow LANCZOS",
                 lambda s, d: s.resize(half, Image.Resampling.LANCZOS), False, True),
             Row("histogram", "u8x1", "cv2 calcHist", lambda s, d: cv2.calcHist([s], [0], None, [256], [0, 256])),
             Row("reduce=mean", "u8x1", "cv2 mean", lambda s, d: cv2.mean(s)),
             Row("reduce=mean", "f32x1", "cv2 mean", lambda s, d: cv2.mean(s))]
    return rows


def time_peer(row: Row, width: int, height: int, seconds: float) -> float:
    kind, channels = row.format.split("x")
    shape = (height, width) if channels == "1" else (height, width, int(channels))
    random = np.random.default_rng(1)
    ramp = np.add.outer(np.linspace(0, 0.5, height), np.linspace(0, 0.4, width))
    image = (ramp[:, :, None] if channels != "1" else ramp) + random.uniform(0, 0.1, shape)  # a photograph's noise
    image = (image * {"u8": 255, "u16": 65535, "f32": 1}[kind]).astype(TYPES[kind])
    count = min(max(2, BEYOND_CACHES // (2 * image.nbytes) + 1), 16)
    sources = [image.copy() for _ in range(count)]
    results = [np.zeros_like(image) for _ in range(count)]
    if row.pillow:
        sources = [Image.fromarray(source) for source in sources]
    times: list[float] = []
    start = time.perf_counter()
    for turn in range(1000):
        begin = time.perf_counter()
        row.call(sources[turn % count], results[turn % count])
        times.append(time.perf_counter() - begin)
        if turn >= 4 and time.perf_counter() - start > seconds:
            break
    return statistics.median(times[1:]) * 1e6  # the first one warms up


def time_weft(row: Row, options: argparse.Namespace, threads: int) -> float:
    words = [options.weft, "bench", row.graph, "--size", options.size, "--format", row.format, "--alpha", "none",
             "--device", "cpu", "--threads", str(threads), "--seconds", str(options.seconds), "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"exit status {done.returncode}")
    return json.loads(done.stdout)["time_us"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weft", default="build/release/weft", help="the weft tool")
    parser.add_argument("--size", default="3840x2160", help="of the images")
    parser.add_argument("--threads", type=int, default=1, help="of weft and of the peers that can have several")
    parser.add_argument("--seconds", type=float, default=0.3, help="to measure each for")
    parser.add_argument("--only", default="", help="only graphs, formats and peers that hold this text")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    results, failed = [], 0
    if not options.json:
        print(f"{'ratio':>7} {'weft ms':>9} {'peer ms':>9}  threads  format  {'peer':22} graph, {options.size}")
    for row in blurs() + windows() + kernels() + others(width, height):
        if options.only not in f"{row.graph} {row.format} {row.peer}":
            continue
        threads = options.threads if row.threads else 1
        cv2.setNumThreads(threads)
        try:
            weft = time_weft(row, options, threads)
        except RuntimeError as error:
            failed += 1
            print(f"{row.graph} {row.format}: {error}", file=sys.stderr)
            continue
        peer = time_peer(row, width, height, options.seconds)
        result = Result(row.graph, row.format, row.peer, threads, round(weft, 3), round(peer, 3), round(weft / peer, 4))
        results.append(result)
        if not options.json:
            shown = row.graph if len(row.graph) < 44 else row.graph[:40] + "..."
            times = f"{result.ratio:7.2f} {weft / 1e3:9.2f} {peer / 1e3:9.2f}"
            print(f"{times}  {threads:7}  {row.format:6}  {row.peer:22} {shown}", flush=True)
    if options.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    elif results:
        faster = sum(result.ratio < 1 for result in results)
        middle = statistics.geometric_mean(result.ratio for result in results)
        print(f"weft is faster in {faster} of {len(results)}; geometric mean of the ratios {middle:.2f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
