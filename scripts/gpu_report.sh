#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu_report.sh BUILD [CASES]: runs what tests GPUs on every GPU of this machine and prints docs/gpu-verification.md's table
# as Markdown: device, driver, what ran, how much passed, failed or was refused. It compiles nothing and needs no tools but a
# shell, so that a build (the preset `portable`) can be carried to a machine with a GPU. CASES of each filter: 400.
set -u
build=$1
cases=${2:-400}
failed=0

# report DEVICE WORDS COMMAND...: one row of the table.
report() {
    device=$1
    words=$2
    shift 2
    log=$(mktemp)
    start=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    counts=$(grep -E ': [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 | sed 's/^[^:]*: //')
    [ "$status" = 0 ] || failed=1
    [ "$status" = 0 ] || grep -E 'FAILED|failed:|ERROR SUMMARY|error' "$log" | head -n 5 | sed 's/^/<!-- /; s/$/ -->/' >&2
    echo "| $device | $words | ${counts:-exit status $status} | $(($(date +%s) - start)) s |"
    rm -f "$log"
}

# sanitize DEVICE TOOL COMMAND...: the same under one tool of compute-sanitizer; CUDA only.
sanitize() {
    device=$1
    tool=$2
    shift 2
    # Rows end in padding that nothing writes and copies carry: initcheck looks at what kernels read.
    api=
    [ "$tool" = initcheck ] && api='--check-api-memory-access no'
    # shellcheck disable=SC2086
    report "$device" "compute-sanitizer $tool, $(basename "$1")" \
        compute-sanitizer --tool "$tool" $api --error-exitcode 9 "$@"
}

echo "weft $("$build/weft" --version 2>/dev/null | head -n 1 | sed 's/^weft //'), $(date -u +%Y-%m-%d), $(nproc) cores"
echo
"$build/weft" devices | grep -E '^(cuda|vulkan)' | sed 's/^/    /'
echo
echo '| device | what | result | took |'
echo '|---|---|---|---|'
"$build/weft" devices | grep -E '^(cuda|vulkan)' | grep -v 'not available' | while read -r gpu rest; do
    case $rest in
    *software*) some=$((cases / 10)) ;;
    *) some=$cases ;;
    esac
    [ "$some" -gt 0 ] || some=1
    report "$gpu" "harness, $some cases of each filter" "$build/tests/harness" --device "$gpu" --cases "$some" --threads 1
    report "$gpu" "graphs by chance, also in bands" "$build/tests/fuzz_graphs" --device "$gpu" --count "$some"
    report "$gpu" "bands and streams" "$build/tests/test_gpu_bands" "$gpu"
    report "$gpu" "medians of bytes" "$build/tests/test_gpu_rank" "$gpu"
    report "$gpu" "filters of bytes" "$build/tests/test_gpu_bytes" "$gpu"
    report "$gpu" "boxes" "$build/tests/test_gpu_box" "$gpu"
    report "$gpu" "guided filters of bytes" "$build/tests/test_gpu_guided" "$gpu"
    report "$gpu" "bytes halved and doubled" "$build/tests/test_gpu_resize" "$gpu"
    report "$gpu" "numbers halved and doubled" "$build/tests/test_gpu_by_two" "$gpu"
    report "$gpu" "what is infinite" "$build/tests/test_gpu_infinite" "$gpu"
    report "$gpu" "tensor-core products of values" "$build/tests/test_gpu_numbers" "$gpu"
    report "$gpu" "stencils of numbers" "$build/tests/test_gpu_stencils" "$gpu"
    report "$gpu" "reductions of images in memory" "$build/tests/test_gpu_reductions" "$gpu"
    report "$gpu" "1000 runs, parameters changed" "$build/tests/test_gpu_runs" "$gpu"
    case $gpu in
    cuda*)
        if command -v compute-sanitizer >/dev/null 2>&1; then
            for tool in memcheck racecheck initcheck; do
                sanitize "$gpu" "$tool" "$build/tests/harness" --device "$gpu" --cases 4 --threads 1
            done
        else
            echo "| $gpu | compute-sanitizer | skipped: not installed | |"
        fi
        ;;
    esac
    [ "$failed" = 0 ]
done
