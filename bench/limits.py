#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""limits.py --check: fails where bench/limits.toml names a section that docs/log/cpu.md does not have.

What stands in the way of cells and bounds that are missed is in bench/limits.toml."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = Path(__file__).with_suffix(".toml")
LOG = ROOT / "docs" / "log" / "cpu.md"
UNKNOWN = "no limit is known"


def stored() -> list[dict]:
    with LIMITS.open("rb") as file:
        return tomllib.load(file)["limit"]


def limit_of(missed: str, own: str = "") -> str:
    """Of what was missed, what stands in the way; `own`: what the bound itself was measured to be limited by."""
    named = next((f"{limit['why']} ({', '.join(f'*{section}*' for section in limit['tried'])})" for limit in stored()
                  if re.search(limit["missed"], missed)), "")
    return "; ".join(part for part in (own, named) if part) or UNKNOWN


def check() -> int:
    log, wrong = LOG.read_text(encoding="utf-8"), []
    sections = [section for limit in stored() for section in limit["tried"]]
    for section in sections:
        if not re.search(rf"^\*\*{re.escape(section)}\.?\*\*", log, re.M):
            wrong.append(section)
            print(f"limits: {LOG.name} has no section '{section}'", file=sys.stderr)
    print(f"limits: {len(sections) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    sys.exit(check())
