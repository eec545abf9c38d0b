#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh TEST...: what must pass before a change is shared: the command TEST, which is make test, more cases of what that draws
# from, under valgrind, then again under sanitizers and by clang, shorter. Ends in one line, 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/.."
. scripts/suite.sh
scripts/dependencies.sh test ci
suite_begin build/check

# suite_preset PRESET: builds it, as `build`.
suite_preset() {
    build=build/$1
    suite_alone "$1: build" scripts/built.sh "$1"
}

# More of what make test has a few cases of: other ones of the GPUs' tests, and those of the harness that never change.
suite_more() {
    suite_run "harness, 80 cases" build/release/tests/harness --cases 80 --seed "$WEFT_TEST_SEED"
    suite_run "harness, widths, 40 cases" build/release/tests/harness --widths --cases 40 --seed "$((WEFT_TEST_SEED + 1))"
    suite_run "fuzz_graphs, 250" build/release/tests/fuzz_graphs --count 250 --seed "$((WEFT_TEST_SEED + 1))"
    suite_run "CUDA, emulated, 8 cases" env WEFT_TEST_CASES=24 tests/cuda/run.sh build/release 8
    suite_run "harness, valgrind" scripts/valgrind.sh build/release --cases 2
    WEFT_TEST_SEED=$((WEFT_TEST_SEED + 1))
    suite_gpus "more: harness" build/release 2 3
    suite_validated build/release
    export WEFT_TEST_CASES=24
    suite_gpu_tests "more: " build/release
    unset WEFT_TEST_CASES
}

# Memory and undefined behavior, by gcc and for one instruction set; the preset fuzz has them by clang and for two.
suite_memory() {
    suite_preset asan
    # lavapipe leaks 128 bytes whenever it is unloaded, and then without a name: here it stays loaded.
    preload=
    if [ -e "$(cc -print-file-name=libvulkan_lvp.so)" ]; then
        preload="LD_PRELOAD=$(cc -print-file-name=libasan.so) libvulkan_lvp.so"
    fi
    suite_run "asan: cli" env WEFT_SANITIZED=1 VK_ICD_FILENAMES=/dev/null \
        python3 tests/cli/test_cli.py "$build/weft" examples
    suite_harness "asan:" "$build" 12 2
    for program in "$build"/tests/test_*; do
        # Failing every allocation takes long on a software GPU.
        device=
        if [ "$(basename "$program")" = test_allocation ]; then
            device=cpu
        fi
        # What these ask of kernels is in code that lavapipe makes, which the sanitizers do not see; what they ask of the rest
        # test_gpu_driver, test_gpu_runs and some of test_gpu_bands ask too.
        case $(basename "$program") in
        test_gpu_bands) device="all 4" ;;
        # NVRTC is not weft's; weft's is the text that it is given.
        test_nvrtc) device=few ;;
        test_gpu_box | test_gpu_bytes | test_gpu_infinite | test_gpu_numbers | test_gpu_points | test_gpu_rank) continue ;;
        test_gpu_box_numbers | test_gpu_by_two | test_gpu_guided | test_gpu_reductions | test_gpu_resize) continue ;;
        test_gpu_stencils) continue ;;
        esac
        [ -x "$program" ] && suite_run "asan: $(basename "$program")" env ${preload:+"$preload"} "$program" $device
    done
    suite_run "asan: fuzz_graphs" "$build/tests/fuzz_graphs" --count 150
    suite_run "asan: fuzz targets, replayed" scripts/replay.sh "$build"
}

# Races: what has several threads, the graphs of the harness among it. ThreadSanitizer sees lavapipe's memory but not how
# its threads wait for one another: what it says of lavapipe is not heard, and one test of it is enough.
suite_races() {
    suite_preset tsan
    suite_run "tsan: test_gpu_driver" "$build/tests/test_gpu_driver"
    suite_run "tsan: harness, threads 2" "$build/tests/harness" --cases 6 --threads 2
    suite_run "tsan: fuzz_graphs" "$build/tests/fuzz_graphs" --count 60
    for name in auto borders custom files gaussian gpu_bands gpu_runs plan queue queue_numbers sharing vulkan; do
        suite_run "tsan: test_$name" env VK_ICD_FILENAMES=/dev/null "$build/tests/test_$name"
    done
}

# clang, which says what gcc does not, and the fuzz targets: the inputs of one seed, so that what passes here passes there.
# Without a seed they are others every time. Graphs on a software GPU wait for its compiler for minutes before they begin,
# and what a video meets first is FFmpeg's.
suite_fuzz() {
    suite_preset fuzz
    suite_harness "fuzz:" "$build" 12 2
    suite_alone "fuzz, 15 seconds each" scripts/fuzz.py --seconds 15 --seed 1 --without graphs-vulkan --without video
}

export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
export LSAN_OPTIONS="suppressions='$PWD/.ci/lsan' print_suppressions=0"
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="halt_on_error=1 suppressions='$PWD/.ci/tsan'"

suite_alone "headers alone" scripts/headers.sh
suite_alone "$*" "$@"
grep '^ *[0-9]* s (' "build/check/$*.log" | sed 's/^/    /' || true
suite_more
suite_memory
suite_races
suite_fuzz
suite_end
