# SPDX-License-Identifier: MIT
"""python -m pyweft: the command-line tool."""

import os
import sys


def main():
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weft")
    os.execv(tool, ["weft", *sys.argv[1:]])


if __name__ == "__main__":
    main()
