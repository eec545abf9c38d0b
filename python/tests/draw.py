# SPDX-License-Identifier: MIT
"""What the tests of drop-ins draw at random, by a seed."""

import os

import numpy

SEED = int(os.environ.get("WEFT_TEST_SEED", "1"))
ROUNDS = int(os.environ.get("WEFT_COMPAT_ROUNDS", "12"))


class Draw:
    """What is drawn for one case."""

    def __init__(self, *seed):
        self.chance = numpy.random.default_rng(seed)

    def whole(self, low, high):
        return int(self.chance.integers(low, high + 1))

    def odd(self, low, high):
        return self.whole(low // 2, (high - 1) // 2) * 2 + 1

    def number(self, low, high):
        return float(self.chance.uniform(low, high))

    def one(self, choices):
        return choices[self.whole(0, len(choices) - 1)]
