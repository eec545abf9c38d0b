# SPDX-License-Identifier: MIT
"""Tests the weft tool from outside: python3 test_cli.py WEFT PHOTO_FOLDER [TEST...]

Each test is a function whose name begins with test_; it gets a fresh folder as its working folder. Filters that a test
needs are looked up in the tool's own list, and a test whose filters are not there is skipped.
"""

import os
import shutil
import signal
import sys
import tempfile
import traceback

import batches
import clips
import failures
import formats
import inputs
import kernels
import layers
import limits
import lists
import memory
import metadata
import mistakes
import pages
import profiles
import runs
import streams
import shapes
import tasks
import telling
import texts
import tool
import video


def run_test(test):
    """True when the test passed or was skipped, and whether it ran."""
    home, folder = os.getcwd(), tempfile.mkdtemp(prefix="weft-cli-")
    os.chdir(folder)
    try:
        test()
        return True, True
    except tool.Skip as reason:
        print(f"skipped {test.__name__}: {reason}")
        return True, False
    except Exception:
        print(f"FAILED {test.__name__}\n{traceback.format_exc(limit=3)}", flush=True)
        return False, True
    finally:
        os.chdir(home)
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: test_cli.py WEFT PHOTO_FOLDER [TEST...]")
    # A shell starts what it runs in the background with interrupts ignored, and programs inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tool.setup(sys.argv[1], sys.argv[2])
    modules = (telling, mistakes, limits, lists, runs, tasks, batches, formats, inputs, layers, memory, metadata, profiles, pages,
               shapes, texts, failures, kernels, video, clips, streams)
    tests = [test for module in modules for name, test in vars(module).items()
             if name.startswith("test_") and name in (sys.argv[3:] or [name])]
    unknown = set(sys.argv[3:]) - {test.__name__ for test in tests}
    if unknown:
        raise SystemExit(f"no test is called {', '.join(sorted(unknown))}")
    results = [run_test(test) for test in tests]
    passed = sum(good and ran for good, ran in results)
    failed = sum(not good for good, _ in results)
    print(f"cli: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
