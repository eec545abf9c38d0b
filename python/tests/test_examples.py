# SPDX-License-Identifier: MIT
"""The examples, in a small form."""

import os
import subprocess
import sys

import pytest

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")


def test_a_slide_on_a_cluster():
    pytest.importorskip("distributed")
    pytest.importorskip("zarr")
    told = subprocess.run([sys.executable, os.path.join(FOLDER, "slide.py"), "--size", "1200", "--chunk", "400", "--workers", "0",
                           "--graph", "gaussian=20,unsharp_mask=3:0.5"], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "the whole image differs by" in told.stdout


def test_the_benchmark_compares_what_is_the_same():
    pytest.importorskip("cv2")
    pytest.importorskip("scipy")
    told = subprocess.run([sys.executable, os.path.join(os.path.dirname(FOLDER), "bench.py"), "--size", "320x240", "--seconds",
                           "0.02"],
                          capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "clahe" in told.stdout and "slower than a peer" in told.stdout
