#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh: builds the release preset and runs every test; ends in one line, 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/.."
. scripts/suite.sh

scripts/build.sh release
build=build/release
suite_begin build/test

suite_run tree python3 scripts/tree.py $build/weft
for program in $build/tests/test_*; do
    [ -x "$program" ] && suite_run "$(basename "$program")" "$program"
done

# The harness at length as a user runs it, then shortly as every user might.
suite_run harness $build/tests/harness
suite_harness harness $build
suite_gpus harness $build 8
suite_validated $build
suite_run "CUDA, emulated" tests/cuda/run.sh $build
suite_run fuzz_graphs $build/tests/fuzz_graphs --count 400
suite_run "fuzz targets, replayed" scripts/replay.sh $build
suite_run soak $build/tests/soak cpu 10

suite_run cli python3 tests/cli/test_cli.py $build/weft examples
suite_run demo tests/demo/test_demo.sh
suite_run readme python3 tests/readme/test_readme.py $build
suite_run docs python3 scripts/docs.py --check $build/weft
suite_run install python3 tests/install/test_install.py $build
suite_run site tests/site/run.sh $build
suite_run accuracy python3 bench/accuracy.py --check --weft $build/weft
suite_run addfilter tests/addfilter/test_addfilter.sh
suite_run peers tests/peers/run.sh $build/weft
suite_end
