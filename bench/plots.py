#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plots.py RESULTS [PREFIX]: draws time against radius, a picture for each filter that has one, into docs/plots, from what
bench/run.sh --json or bench/gpu/main.py --json measured; their names begin with PREFIX."""

import json
import sys
from pathlib import Path

from cells import FORMATS, WITH_RADIUS
from timing import Timing

ROOT = Path(__file__).resolve().parent.parent
FOLDER, SUFFIX = "plots", ".svg"
WIDTH, HEIGHT, LABEL = 3.1, 3.6, 1.9  # of a panel and of a word of the legend, in inches
WEFT_COLOR = "#c0392b"
# Told apart by shape too, and in greys.
STYLES = {"OpenCV 5": ("#1f4e79", "o", "-"), "OpenCV 4": ("#5b9bd5", "s", "--"), "libvips": ("#548235", "^", "-"),
          "SciPy": ("#7f7f7f", "v", "-."), "Pillow-SIMD": ("#bf9000", "D", ":"), "Pillow": ("#806000", "d", ":"),
          "Halide": ("#7030a0", "x", "--"), "weft, Vulkan": ("#e67e22", "s", "-"), "NPP": ("#548235", "^", "-"),
          "CuPy": ("#1f4e79", "v", "-.")}
OTHER = ("#000000", ".", ":")


def style(version: str) -> tuple[str, str, str]:
    return next((style for name, style in STYLES.items() if version.startswith(name)), OTHER)


def draw_panel(axes, timings: list[Timing]) -> None:
    timings = sorted(timings, key=lambda timing: timing.cell.radius)
    for version in dict.fromkeys(peer for timing in timings for peer in timing.peers):
        color, marker, line = style(version)
        points = [(timing.cell.radius, timing.peers[version] / timing.copy) for timing in timings
                  if version in timing.peers]
        axes.plot(*zip(*points), color=color, marker=marker, linestyle=line, markersize=4, linewidth=1, label=version)
    axes.plot([timing.cell.radius for timing in timings], [timing.weft / timing.copy for timing in timings],
              color=WEFT_COLOR, marker="o", markersize=5, linewidth=2.2, label="weft")
    radii = [timing.cell.radius for timing in timings]
    axes.set(xscale="log", yscale="log", xlabel="radius, pixels", title=timings[0].cell.format)
    axes.set_xticks(radii, [str(radius) for radius in radii])
    axes.minorticks_off()
    axes.grid(alpha=0.25)


def draw(pyplot, filter: str, timings: list[Timing], path: Path) -> None:
    formats = [format for format in FORMATS if any(timing.cell.format == format for timing in timings)]
    size = (WIDTH * len(formats), HEIGHT)
    figure, panels = pyplot.subplots(1, len(formats), figsize=size, sharey=True, squeeze=False)
    handles = {}
    for axes, format in zip(panels[0], formats):
        draw_panel(axes, [timing for timing in timings if timing.cell.format == format])
        handles |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels())}
    panels[0][0].set_ylabel("time / time of a copy")
    order = ["weft", *(label for label in handles if label != "weft")]
    columns = min(len(order), int(WIDTH * len(formats) / LABEL))
    lines = -(-len(order) // columns)
    figure.legend([handles[label] for label in order], order, loc="lower center", ncols=columns, fontsize=8,
                  frameon=False)
    figure.suptitle(filter)
    figure.tight_layout(rect=(0, 0.02 + 0.055 * lines, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print("usage: plots.py RESULTS [PREFIX]", file=sys.stderr)
        return 2
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "weft"  # the same picture, byte for byte, from the same results
    from matplotlib import pyplot

    timings = [Timing.restored(cell) for cell in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["cells"]]
    fewest = min(timing.threads for timing in timings)
    folder = ROOT / "docs" / FOLDER
    folder.mkdir(exist_ok=True)
    for filter in WITH_RADIUS:
        those = [timing for timing in timings if timing.cell.filter == filter and timing.threads == fewest]
        if those:
            draw(pyplot, filter, those, folder / f"{''.join(sys.argv[2:])}{filter}{SUFFIX}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
