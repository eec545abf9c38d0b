#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""worker.py THREADS PEER...: runs peers, in the Python that has them.

A line of JSON on standard input asks for a turn, {"peer": .., "cell": .., "seconds": ..}; a line of JSON answers:
{"seconds": [..]}, the times of single calls, or {"none": why}. With "sources", files of arrays, and "result", a
file to be written, in place of seconds, the answer is {}. The first line out says what the peers are."""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cell import Cell, shape

BEYOND_CACHES = 256 << 20  # as `weft bench` has it
TYPES = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}
PATIENCE = 20  # seconds that one call may take; what takes longer is not the best peer
PART = 16      # of the rows on which that is tried


def noise(cell: Cell, random: np.random.Generator) -> np.ndarray:
    """What `weft bench` filters."""
    values = random.random(shape(cell.height, cell.width, cell.channels), np.float32)
    return (values * cell.full + (cell.type != "f32") * 0.5).astype(TYPES[cell.type])


def result_of(cell: Cell) -> np.ndarray:
    """Memory for the result: most filters keep the shape."""
    name, *words = cell.filter.split()
    scale = float(words[0][1:]) if name == "resize" else 1
    channels = 1 if name in ("grayscale", "sobel", "luminance_threshold") else cell.channels
    return np.zeros(shape(round(cell.height * scale), round(cell.width * scale), channels), TYPES[cell.type])


class Images:
    """Of one cell, for all peers: more of them than the caches hold."""

    def __init__(self, cell: Cell):
        random = np.random.default_rng(1)
        self.cell = cell
        self.images = 2 if cell.filter == "blend_source_over" else 1
        first, result = [noise(cell, random) for _ in range(self.images)], result_of(cell)
        self.count = max(2, BEYOND_CACHES // (self.images * first[0].nbytes + result.nbytes) + 1)
        self.sets = [[image.copy() for image in first] for _ in range(self.count)]
        self.results = [result.copy() for _ in range(self.count)]


class Turns:
    """Of one peer with the images of a cell."""

    def __init__(self, peer, call: Callable, images: Images):
        self.call, self.images, self.turn = call, images, 0
        sets = [peer.sources(arrays, images.cell) for arrays in images.sets]
        self.sources = [made[0] if images.images == 1 else made for made in sets]

    def take(self) -> float:
        turn = self.turn % self.images.count
        self.turn += 1
        begin = time.perf_counter()
        self.call(self.sources[turn], self.images.results[turn])
        return time.perf_counter() - begin

    def take_for(self, seconds: float) -> list[float]:
        times, start = [], time.perf_counter()
        while not times or time.perf_counter() - start < seconds:
            times.append(self.take())
        return times


def too_slow(peer, cell: Cell) -> str | None:
    """Why the whole image is not tried, from a strip of it."""
    rows = max(cell.height // PART, 16)
    strip = Cell(cell.filter, cell.graph, cell.format, cell.radius, cell.width, rows)
    call = peer.call(strip)
    sources = peer.sources([noise(strip, np.random.default_rng(2)) for _ in range(2)], strip)
    source = sources if cell.filter == "blend_source_over" else sources[0]
    begin = time.perf_counter()
    call(source, result_of(strip))
    estimate = (time.perf_counter() - begin) * cell.height / rows
    return f"more than {PATIENCE} s a call" if estimate > PATIENCE else None


class Worker:
    def __init__(self, peers: dict):
        self.peers = peers
        self.images: Images | None = None  # of the cell that was asked for last
        self.turns: dict[str, Turns] = {}

    def begin(self, name: str, cell: Cell) -> str | None:
        """Makes a peer ready for a cell, or says why it is not one for it."""
        peer = self.peers[name]
        call = peer.call(cell)
        if call is None:
            return "no such filter for the format"
        slow = too_slow(peer, cell)
        if slow is None:
            self.images = self.images or Images(cell)
            self.turns[name] = Turns(peer, call, self.images)
            self.turns[name].take()  # warms up
        return slow

    def filter(self, name: str, cell: Cell, files: list[str], result: str) -> dict:
        """The peer's result for images of files."""
        peer = self.peers[name]
        call = peer.call(cell)
        if call is None:
            return {"none": "no such filter for the format"}
        sources, target = peer.sources([np.load(file) for file in files], cell), result_of(cell)
        made = call(sources[0] if len(sources) == 1 else sources, target)
        if isinstance(made, tuple):  # OpenCV's threshold comes with the image
            made = made[-1]
        if made is None:
            made = target
        elif not isinstance(made, np.ndarray):
            made = np.asarray(made) if hasattr(made, "size") else np.frombuffer(made, target.dtype)
        np.save(result, made.reshape(target.shape))
        return {}

    def answer(self, question: dict) -> dict:
        cell, name = Cell(**question["cell"]), question["peer"]
        if "result" in question:
            return self.filter(name, cell, question["sources"], question["result"])
        if self.images is not None and self.images.cell != cell:
            self.images, self.turns = None, {}
        none = None if name in self.turns else self.begin(name, cell)
        return {"none": none} if none else {"seconds": self.turns[name].take_for(question["seconds"])}


def about(peer) -> dict:
    """What the other end of the line is to know of a peer."""
    return {"version": peer.version(), "differences": peer.DIFFERENCES, "border": peer.BORDER,
            "grey": getattr(peer, "GREY", None), "other_pictures": getattr(peer, "OTHER_PICTURES", ())}


def main() -> None:
    # Answers go where standard output went; what a peer prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    threads, names = int(sys.argv[1]), sys.argv[2:]
    sys.path.insert(1, str(Path(__file__).parent / "peers"))
    peers = {name: importlib.import_module(name) for name in names}
    for peer in peers.values():
        peer.set_threads(threads)
    worker = Worker(peers)
    print(json.dumps({name: about(peer) for name, peer in peers.items()}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:  # a peer's, whatever it throws
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
