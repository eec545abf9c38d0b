# SPDX-License-Identifier: MIT
"""Runs the weft tool and compares what it makes with what a peer makes, one line per comparison."""

import json
import subprocess
from pathlib import Path

import numpy as np

from pictures import FULL_SCALE, Picture, read, write

# Reasons that many comparisons share.
F32 = "weft computes in f32"
EXACT = "both are exact"
ONE_ROUNDING = "one rounding to nearest"


class Suite:
    def __init__(self, weft: str, options: list[str], folder: Path, pictures: dict[str, Picture], only: str = ""):
        self.weft, self.options, self.folder, self.pictures = weft, options, folder, pictures
        self.only = only
        self.passed = self.failed = 0
        self.failures: list[str] = []

    def tool(self, words: list[str]) -> str:
        done = subprocess.run([self.weft, "run", *words, *self.options], capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or f"exit status {done.returncode}")
        return done.stdout

    def run(self, graph: str, *inputs: Picture, type: str = "") -> np.ndarray:
        """The image that the graph makes, in the type of its first input unless said."""
        type = type or inputs[0].type
        out = self.folder / ("out.pfm" if type == "f32" else "out.pam")
        self.tool([*(str(picture.path) for picture in inputs), "--graph", graph, str(out), "--type", type])
        return read(out)

    def values(self, graph: str, picture: Picture) -> np.ndarray:
        """The numbers that the graph measures: an array of (bins, channels)."""
        answer = json.loads(self.tool([str(picture.path), "--graph", graph, "--json"]))
        return np.array(answer["values"]).reshape(-1, answer["channels"])

    def picture(self, name: str, pixels: np.ndarray, alpha: bool = False) -> Picture:
        """A further picture, for what the photograph does not show."""
        picture = Picture(pixels, alpha)
        picture.path = self.folder / (name + (".pfm" if picture.type == "f32" else ".pam"))
        write(picture.path, picture)
        return picture

    def real(self, graph: str, peer: str, inputs: Picture | list[Picture], expected: np.ndarray, tolerance: float,
             reason: str = F32, where: np.ndarray | bool = True) -> None:
        """Against a peer in real numbers, 1 being full scale. `tolerance` is of full scale, before weft rounds:
        integers may be half a step further off. `where` leaves out what the peer cannot say."""
        first, *rest = inputs if isinstance(inputs, list) else [inputs]
        full = FULL_SCALE[first.type]
        expected = np.atleast_3d(expected) * full
        if first.type != "f32":
            expected = np.clip(expected, 0, full)
            reason = ONE_ROUNDING + (", " + reason if reason != F32 else "")
        limit = tolerance if first.type == "f32" else 0.5 + tolerance * full
        self.judge(graph, peer, [first, *rest], expected, limit, reason, where)

    def same(self, graph: str, peer: str, inputs: Picture | list[Picture], expected: np.ndarray, steps: float = 0,
             reason: str = EXACT, where: np.ndarray | bool = True) -> None:
        """Against a peer that makes the same type; `steps` are of that type, of full scale in f32."""
        inputs = inputs if isinstance(inputs, list) else [inputs]
        self.judge(graph, peer, inputs, np.atleast_3d(expected).astype(np.float64), steps, reason, where)

    def judge(self, graph: str, peer: str, inputs: list[Picture], expected: np.ndarray, limit: float, reason: str,
              where: np.ndarray | bool) -> None:
        if not self.wanted(graph, peer):
            return
        try:
            made = self.run(graph, *inputs).astype(np.float64)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            self.report(graph, peer, inputs[0].format, np.inf, np.inf, limit, inputs[0].type, f"weft says: {error}")
            return
        if made.shape != expected.shape:
            self.report(graph, peer, inputs[0].format, np.inf, np.inf, limit, inputs[0].type,
                        f"weft made {made.shape}, the peer {expected.shape}")
            return
        difference = np.abs(made - expected)[np.broadcast_to(where, made.shape)]
        self.report(graph, peer, inputs[0].format, difference.max(), difference.mean(), limit, inputs[0].type, reason)

    def numbers(self, graph: str, peer: str, picture: Picture, expected: np.ndarray, tolerance: float = 0,
                reason: str = EXACT) -> None:
        """Against a peer's measured numbers; the tolerance is relative."""
        if not self.wanted(graph, peer):
            return
        expected = np.asarray(expected, np.float64)
        try:
            made = self.values(graph, picture)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            self.report(graph, peer, picture.format, np.inf, np.inf, tolerance, "ratio", f"weft says: {error}")
            return
        difference = np.abs(made - expected.reshape(made.shape)) / np.maximum(np.abs(expected.reshape(made.shape)), 1)
        self.report(graph, peer, picture.format, difference.max(), difference.mean(), tolerance, "ratio", reason)

    def wanted(self, graph: str, peer: str) -> bool:
        return self.only in f"{graph} {peer}"

    def report(self, graph: str, peer: str, format: str, largest: float, mean: float, limit: float, unit: str,
               reason: str) -> None:
        good = bool(largest <= limit)  # False for NaN too
        self.passed += good
        self.failed += not good
        shown = graph if len(graph) <= 48 else graph[:45] + "..."
        unit = {"f32": "of full scale", "ratio": "relative"}.get(unit, "steps")
        line = (f"{'ok' if good else 'FAIL':4} {shown:48} {peer:32} {format:5} max {largest:<9.3g} mean {mean:<9.3g} "
                f"tolerance {limit:.4g} {unit}: {reason}")
        print(line, flush=True)
        if not good:
            self.failures.append(line)

