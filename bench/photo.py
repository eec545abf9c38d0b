# SPDX-License-Identifier: MIT
"""The shipped photograph as files that weft reads and arrays that peers take."""

import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "peers"))

from pictures import Picture, read, write  # noqa: E402

PHOTO = ROOT / "examples" / "photo.jpg"
ENDINGS = {"u8": ".pam", "f32": ".pfm"}
FULL = {"u8": 255.0, "f32": 1.0}


class Failed(Exception):
    """A command that did not do what it was to do."""


def command(words: list[str], **options) -> bytes:
    done = subprocess.run(words, capture_output=True, **options)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failed(said[-1] if said else f"exit status {done.returncode}")
    return done.stdout


def real(path: Path) -> np.ndarray:
    """The pixels of a file in double precision, 1 being full scale."""
    pixels = read(path)
    return pixels / (FULL["u8"] if pixels.dtype == np.uint8 else FULL["f32"])


def photograph(weft: str, folder: Path, name: str, type: str, graph: str) -> Path:
    """The file of what the graph makes of the photograph."""
    path = folder / (name + ENDINGS[type])
    if not path.exists():
        command([weft, "run", str(PHOTO), "--graph", graph, str(path), "--type", type, "--device", "reference"])
    return path


__all__ = ["ENDINGS", "FULL", "PHOTO", "ROOT", "Failed", "Picture", "command", "photograph", "read", "real", "write"]
