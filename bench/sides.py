# SPDX-License-Identifier: MIT
"""The sides that are timed: weft by its own tool, and peers in worker processes."""

import json
import os
import statistics
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from cell import Cell

# Which Python has which peers.
PEERS = {
    "newest": ("opencv", "libvips", "scipy_ndimage", "pillow", "halide_schedules"),
    "debian": ("opencv",),
    "simd": ("pillow",),
}


class Unable(Exception):
    """A side that could not do what it says it can."""


class Weft:
    def __init__(self, tool: str):
        self.tool = tool

    def bench(self, cell: Cell, threads: int, seconds: float) -> dict:
        """What `weft bench --json` says."""
        words = [self.tool, "bench", "--graph", cell.graph, "--size", f"{cell.width}x{cell.height}",
                 "--format", cell.format, "--device", "cpu", "--threads", str(threads), "--seconds", str(seconds),
                 "--json"]
        # Four channels are data, but for what needs alpha.
        words += ["--alpha", "straight" if cell.filter == "blend_source_over" else "none"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise Unable(f"weft: {done.stderr.strip() or f'exit status {done.returncode}'}")
        return json.loads(done.stdout)


class Environment:
    """A worker with the peers of one Python, on so many threads."""

    def __init__(self, python: str, peers: tuple[str, ...], threads: int):
        # Each library has a variable of its own for how many threads it starts.
        count = {name: str(threads) for name in ("VIPS_CONCURRENCY", "HL_NUM_THREADS", "OMP_NUM_THREADS",
                                                 "OPENBLAS_NUM_THREADS")}
        self.process = subprocess.Popen([python, str(Path(__file__).parent / "worker.py"), str(threads), *peers],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **count})
        self.peers: dict[str, dict] = self.read()

    def read(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise Unable(f"a worker ended with status {self.process.wait()}")
        return json.loads(line)

    def ask(self, peer: str, cell: Cell, **question) -> dict:
        self.process.stdin.write(json.dumps({"peer": peer, "cell": asdict(cell), **question}) + "\n")
        self.process.stdin.flush()
        answer = self.read()
        if "error" in answer:
            raise Unable(f"{self.peers[peer]['version']}: {cell.name}: {answer['error']}")
        return answer

    def filter(self, peer: str, cell: Cell, sources: list[str], result: str) -> bool:
        """Writes the peer's result for images of .npy files; False where it has no such filter."""
        return "none" not in self.ask(peer, cell, sources=sources, result=result)

    def turn(self, peer: str, cell: Cell, seconds: float) -> float | str:
        """The median time of a call in seconds, or why there is none."""
        answer = self.ask(peer, cell, seconds=seconds)
        return answer["none"] if "none" in answer else statistics.median(answer["seconds"])

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def open_environments(pythons: dict[str, str], threads: int) -> list[Environment]:
    opened = []
    for name, python in pythons.items():
        try:
            opened.append(Environment(python, PEERS[name], threads))
        except Unable as error:
            print(f"bench: without the peers of {python}: {error}", file=sys.stderr)
    return opened
