# SPDX-License-Identifier: MIT
"""docs/python.md does what it says: its code runs, block after block."""

import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def test_tutorial(tmp_path, monkeypatch):
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), flags=re.M | re.S)
    assert len(blocks) > 4
    os.symlink(os.path.abspath(os.path.join(ROOT, "examples")), tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
