# SPDX-License-Identifier: MIT
"""Pictures for the tests."""

import numpy
import pytest


def picture(shape, dtype="uint8", seed=1):
    """Random levels over the whole range of a component type."""
    draw = numpy.random.default_rng(seed)
    if dtype in ("uint8", "uint16"):
        return draw.integers(0, numpy.iinfo(dtype).max + 1, shape, dtype=dtype)
    return draw.random(shape, dtype="float32").astype(dtype)


@pytest.fixture
def color():
    return picture((37, 53, 3))


@pytest.fixture
def grey():
    return picture((37, 53))


def pytest_terminal_summary(terminalreporter):
    """The line that make test sums up."""
    count = {word: len(terminalreporter.stats.get(word, [])) for word in ("passed", "failed", "error", "skipped")}
    terminalreporter.write_line(f"python: {count['passed']} passed, {count['failed'] + count['error']} failed, "
                                f"{count['skipped']} skipped")
