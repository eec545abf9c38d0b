# SPDX-License-Identifier: MIT
"""The error of every filter on every path: the example of each, run on the CPU by each instruction set and on the GPUs
that are there, against the reference device, which computes in double precision."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from errors import Error, error_of
from photo import ENDINGS, Failed, command, photograph, real

ISAS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "neon")
GPUS = ("vulkan", "cuda")
# Half the photograph's sides: the reference takes its time. What needs all of it gets all of it.
HALF, WHOLE = "resize=512", "crop"


def paths(weft: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The device and the environment of each path that this machine has."""
    found = {}
    for isa in ISAS:
        environment = {**os.environ, "WEFT_CPU_ISA": isa}
        try:
            command([weft, "plan", "--device", "cpu", "invert"], env=environment)
        except Failed:
            continue
        found[isa] = ("cpu", environment)
    for gpu in GPUS:
        try:
            command([weft, "plan", "--device", gpu, "invert"])
        except Failed:
            continue
        found[gpu] = (gpu, dict(os.environ))
    return found


def run(weft: str, words: list[str], photo: Path, type: str, out: Path, device: str, environment: dict | None):
    """The result of an example on a device: an image, or the numbers that the graph measures."""
    words = [str(photo) if word == "photo.jpg" else str(out) if word == "out.png" else word for word in words]
    options = ["--device", device]
    if str(out) in words:
        command([weft, *words, *options, "--type", type], env=environment)
        return real(out)
    return np.array(json.loads(command([weft, *words, *options, "--json"], env=environment))["values"])


def measure(weft: str, words: list[str], folder: Path, type: str, known: dict) -> dict[str, Error]:
    """The errors of an example by path. `words` are its command, after the program's name."""
    for graph in (HALF, WHOLE):
        photo = photograph(weft, folder, f"{type}-{graph.partition('=')[0]}", type, graph)
        try:
            truth = run(weft, words, photo, "f32", folder / "truth.pfm", "reference", None)
            break
        except Failed:
            if graph == WHOLE:
                raise
    found = {}
    for path, (device, environment) in known.items():
        made = run(weft, words, photo, type, folder / f"made{ENDINGS[type]}", device, environment)
        if made.ndim == 1:  # numbers: of a count or a mean, relative to what it is
            scale = np.maximum(np.abs(truth), 1)
            found[path] = error_of(made / scale, truth / scale, "f32")
        else:
            found[path] = error_of(made, truth, type)
    return found


def measure_all(weft: str, examples: dict[str, list[str]], folder: Path) -> Iterator[tuple[str, dict]]:
    """For each filter the errors by type and path."""
    known = paths(weft)
    for name, words in examples.items():
        yield name, {type: measure(weft, words, folder, type, known) for type in ENDINGS}
