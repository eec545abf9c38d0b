# SPDX-License-Identifier: MIT
"""The error of weft and of its peers in the same cells, against weft's reference device with the peer's own border."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from cell import Cell
from cells import cells
from errors import Error, error_of
from photo import ENDINGS, FULL, Picture, command, photograph, read, real, write
from sides import Environment

WIDTH, HEIGHT = 512, 384
RADII = {"gaussian": (2, 4, 8, 32, 100), "box": (1, 8, 32), "median": (2,), "dilate": (4,), "erode": (4,),
         "bilateral": (4,)}
BORDERED = ("gaussian", "box", "bilateral", "sobel", "convolve3x3")
# Where peers cut a gaussian, in sigmas: by itself OpenCV in u8 does at 3, in f32 as SciPy at 4. weft gets sigma alone.
REACHES = (3, 4)
FFMPEG = "FFmpeg gblur"
# Pillow leaves the outermost pixels of a convolution alone.
MARGIN = {"convolve3x3": 1}


def wanted() -> Iterator[Cell]:
    """Of the cells that are timed: one channel in u8 and f32; u8 colors where the filter is one of colors."""
    for cell in cells(WIDTH, HEIGHT):
        color = cell.filter in ("grayscale", "color_matrix", "blend_source_over")
        other = cell.filter in ("histogram", "connected_components", "distance_transform")  # no picture, or not in the format
        if other or cell.radius not in RADII.get(cell.filter, (None,)):
            continue
        if cell.format in (("u8x3",) if color and cell.filter != "blend_source_over" else ("u8x4",) if color
                           else ("u8x1", "f32x1")):
            if cell.filter != "gaussian":
                yield cell
                continue
            for reach in REACHES:
                blur = replace(cell, reach=reach)
                yield replace(blur, graph=f"gaussian={blur.sigma:.6g}")


def graph_for(cell: Cell, border: str, grey: str | None) -> str:
    graph = cell.graph
    if cell.filter.split()[0] in BORDERED:
        graph += f":border={border}" if "=" in graph else f"=border={border}"
    return graph + (f"={grey}" if cell.filter == "grayscale" and grey else "")


class Truths:
    """Images of the photograph for each format, and what the reference makes of them."""

    def __init__(self, weft: str, folder: Path):
        self.weft, self.folder = weft, folder
        self.known: dict[tuple[str, str], np.ndarray] = {}

    def sources(self, cell: Cell) -> list[Path]:
        """Files of the images, beside each of which lies the array that peers take."""
        grey = "grayscale," if cell.channels == 1 else ""
        first = photograph(self.weft, self.folder, f"peers-{cell.format}", cell.type,
                           f"{grey}resize={WIDTH}:{HEIGHT}")
        files = [first]
        if cell.filter == "blend_source_over":
            pixels = read(first)
            ramp = np.linspace(0, FULL[cell.type], WIDTH)[None, :, None] * np.ones((HEIGHT, 1, 1))
            files = []
            for name, picture, alpha in (("backdrop", pixels, ramp[:, ::-1]), ("source", pixels[::-1], ramp)):
                made = np.concatenate([picture[:, :, :3], alpha.astype(pixels.dtype)], axis=2)
                files.append(self.folder / f"{name}.pam")
                write(files[-1], Picture(np.ascontiguousarray(made), alpha=True))
        for file in files:
            array = read(file)
            np.save(file.with_suffix(".npy"), np.ascontiguousarray(array[:, :, 0] if array.shape[2] == 1 else array))
        return files

    def run(self, cell: Cell, graph: str, device: str, type: str) -> np.ndarray:
        out = self.folder / f"cell{ENDINGS[type]}"
        files = [str(file) for file in self.sources(cell)]
        command([self.weft, "run", *files, "--graph", graph, str(out), "--device", device, "--type", type])
        return real(out)

    def of(self, cell: Cell, border: str, grey: str | None) -> np.ndarray:
        graph = graph_for(cell, border, grey)
        if (graph, cell.format) not in self.known:
            self.known[graph, cell.format] = self.run(cell, graph, "reference", "f32")
        return self.known[graph, cell.format]

    def error(self, cell: Cell, made: np.ndarray, truth: np.ndarray) -> Error:
        cut = MARGIN.get(cell.filter, 0)
        inside = slice(cut, -cut or None)
        return error_of(made[inside, inside], truth[inside, inside], cell.type)


def ffmpeg(cell: Cell, source: Path) -> np.ndarray:
    """The result of FFmpeg's gblur with its own number of steps."""
    name = {"u8": "gray", "f32": "grayf32le"}[cell.type]
    form = ["-f", "rawvideo", "-pix_fmt", name, "-s", f"{cell.width}x{cell.height}"]
    pixels = np.load(source.with_suffix(".npy"))
    done = command(["ffmpeg", "-v", "error", *form, "-i", "-", "-vf", f"gblur=sigma={cell.sigma:.6g}", *form, "-"],
                   input=pixels.tobytes())
    made = np.frombuffer(done, pixels.dtype).reshape(cell.height, cell.width, 1)
    return made / FULL[cell.type]


def measure(weft: str, environments: list[Environment], folder: Path) -> Iterator[tuple[Cell, dict[str, Error]]]:
    """For each cell the errors by side."""
    truths = Truths(weft, folder)
    for cell in wanted():
        sources = truths.sources(cell)
        graph = graph_for(cell, "mirror", None)
        found = {"weft": truths.error(cell, truths.run(cell, graph, "cpu", cell.type), truths.of(cell, "mirror", None))}
        for environment in environments:
            for name, peer in environment.peers.items():
                result = folder / "peer.npy"
                arrays = [str(source.with_suffix(".npy")) for source in sources]
                if cell.filter in peer["other_pictures"]:
                    continue
                if environment.filter(name, cell, arrays, str(result)):
                    made = np.load(result) / FULL[cell.type]
                    truth = truths.of(cell, peer["border"], peer["grey"])
                    found[peer["version"]] = truths.error(cell, made.reshape(truth.shape), truth)
        if cell.filter == "gaussian" and shutil.which("ffmpeg"):
            found[FFMPEG] = truths.error(cell, ffmpeg(cell, sources[0]), truths.of(cell, "replicate", None))
        yield cell, found


