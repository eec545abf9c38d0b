#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh: builds the release preset and tests it within minutes; ends in one line, 'N passed, N failed'. Whatever found a
# defect once is tried again, and of the rest as many cases as there is time for, drawn by WEFT_TEST_SEED; scripts/check.sh
# tries more.
set -eu
cd "$(dirname "$0")/.."
. scripts/suite.sh

scripts/build.sh release
build=build/release
suite_begin build/test
export WEFT_TEST_CASES="${WEFT_TEST_CASES:-5}" # of each test of GPUs, on software ones

suite_run "fuzz targets, replayed" scripts/replay.sh $build
suite_run "harness, kept" tests/harness/kept.sh $build

# What takes long first, so that nothing long is left to run by itself at the end.
suite_gpus harness $build 2 16
suite_run cli python3 tests/cli/test_cli.py $build/weft examples
suite_run "frei0r hosts" python3 tests/hosts/test_frei0r.py $build
suite_run addfilter tests/addfilter/test_addfilter.sh
suite_run "demo, readme, install, deb" suite_in_turn tests/demo/test_demo.sh "python3 tests/readme/test_readme.py $build" \
    "python3 tests/install/test_install.py $build" "python3 tests/install/test_deb.py $build"
suite_run peers tests/peers/run.sh $build/weft
suite_run python python/tests/run.sh $build
suite_gpu_tests "" $build
suite_run oracles scripts/oracles.py --cases 60 --build $build
suite_harness harness $build 6 2
suite_run harness $build/tests/harness --cases 10 --seed "$WEFT_TEST_SEED"
suite_run "harness, widths" $build/tests/harness --widths --cases 18
suite_validated $build
suite_run "CUDA, emulated" env WEFT_TEST_CASES=6 tests/cuda/run.sh $build 2 4
suite_run fuzz_graphs $build/tests/fuzz_graphs --count 70 --seed "$WEFT_TEST_SEED"
suite_run docs python3 scripts/docs.py --check $build/weft
suite_run site tests/site/run.sh $build
for program in $build/tests/test_*; do
    case $program in */test_gpu_*) continue ;; esac
    [ -x "$program" ] && suite_run "$(basename "$program")" "$program"
done
suite_run meaning $build/tests/meaning --seed "$WEFT_TEST_SEED"
suite_run soak $build/tests/soak cpu 10
suite_run tree python3 scripts/tree.py $build/weft
suite_run limits python3 bench/limits.py --check
suite_run accuracy python3 bench/accuracy.py --check --weft $build/weft
suite_end
