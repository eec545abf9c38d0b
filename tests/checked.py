# SPDX-License-Identifier: MIT
"""What test programs have in common that go on after something is wrong: they count what they check, and end in one line."""

import sys

_counts = {True: 0, False: 0}


def check(good, message):
    """Counts it, says what is wrong, and returns whether nothing is."""
    _counts[bool(good)] += 1
    if not good:
        print(message, flush=True)
    return bool(good)


def done(name, skipped=0):
    """Ends the program: well where all is good and something was checked or skipped."""
    print(f"{name}: {_counts[True]} passed, {_counts[False]} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if _counts[False] or not (_counts[True] or skipped) else 0)
