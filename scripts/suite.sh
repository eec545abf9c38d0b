# SPDX-License-Identifier: MIT
# To be sourced: runs test programs and sums what they say. A program says 'NAME: N passed, N failed' (and
# ', N skipped' where that is so) once or more, or ends in 'N passed, N failed'. One that says nothing, or exits badly
# without a failure of its own, counts as a failure.
suite_passed=0
suite_failed=0

# suite_begin FOLDER: where the logs go.
suite_begin() {
    suite_folder=$1
    rm -rf "$suite_folder"
    mkdir -p "$suite_folder"
}

# suite_run NAME COMMAND...: prints one line, and the end of the program's output where it failed.
suite_run() {
    suite_name=$1
    suite_log=$suite_folder/$1.log
    shift
    suite_start=$(date +%s)
    suite_status=0
    "$@" >"$suite_log" 2>&1 </dev/null || suite_status=$?
    set -- $(awk '
        /^[0-9]+ passed, [0-9]+ failed$/ { total = 1; passed_in_all = $1; failed_in_all = $3 }
        /^[^ ].*: [0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
            said = 1; sub(/^.*: /, ""); passed += $1; failed += $3; skipped += $5
        }
        END {
            if (total) print passed_in_all, failed_in_all, 0
            else if (said) print passed + 0, failed + 0, skipped + 0
        }' "$suite_log")
    suite_word=
    if [ $# = 0 ]; then
        set -- 0 1 0
        suite_word=" (it said nothing; exit status $suite_status)"
    elif [ "$suite_status" != 0 ] && [ "$2" = 0 ]; then
        set -- "$1" 1 0
        suite_word=" (exit status $suite_status)"
    fi
    if [ "$3" != 0 ]; then
        suite_word=", $3 skipped: $(head -n 1 "$suite_log")"
    fi
    suite_passed=$((suite_passed + $1))
    suite_failed=$((suite_failed + $2))
    suite_start=$(($(date +%s) - suite_start))
    printf '%4d s  %-28s %7d passed, %d failed%s\n' $suite_start "$suite_name" "$1" "$2" "$suite_word"
    if [ "$2" != 0 ]; then
        sed 's/^/    | /' "$suite_log" | tail -n 40
        echo "    | all of it: $suite_log"
    fi
}

# suite_harness WORDS BUILD: the harness, shortly, on every instruction set of this machine by 1 and 2 threads.
suite_harness() {
    for isa in x86-64-v2 x86-64-v3 x86-64-v4 neon; do
        if WEFT_CPU_ISA=$isa "$2/weft" plan --device cpu invert >/dev/null 2>&1; then
            for threads in 1 2; do
                suite_run "$1 $isa, threads $threads" \
                    env WEFT_CPU_ISA=$isa "$2/tests/harness" --quick --threads $threads
            done
        fi
    done
}

# suite_gpus WORDS BUILD CASES: the harness, shortly, on every GPU; on software ones, which take long to compile kernels,
# with so many cases of each filter. Says which are not there, and why.
suite_gpus() {
    "$2/weft" devices | grep -E '^(cuda|vulkan)' >"$suite_folder/gpus" || true
    while read -r gpu rest; do
        case $rest in
        "not available: "*) printf '        %-28s skipped: %s\n' "$1 $gpu" "${rest#not available: }" ;;
        *software*) suite_run "$1 $gpu" timeout 1800 "$2/tests/harness" --device "$gpu" --cases "$3" --threads 1 ;;
        *) suite_run "$1 $gpu" timeout 1800 "$2/tests/harness" --device "$gpu" --quick --threads 1 ;;
        esac
    done <"$suite_folder/gpus"
}

# suite_validated BUILD: the drivers' test under the Vulkan validation layers; any word of theirs is a failure.
suite_validated() {
    if [ -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ]; then
        suite_run "test_gpu_driver, validated" scripts/validated.sh "$1/tests/test_gpu_driver"
        if "$1/weft" devices | grep -E '^vulkan' | grep -qv 'not available'; then
            suite_run "harness vulkan, validated" \
                scripts/validated.sh "$1/tests/harness" --device vulkan --cases 1 --threads 1
        fi
    else
        printf '        %-28s skipped: no Vulkan validation layers\n' "test_gpu_driver, validated"
    fi
}

# suite_end: the one line that sums up; fails when something failed or nothing ran.
suite_end() {
    echo "$suite_passed passed, $suite_failed failed"
    [ "$suite_failed" = 0 ] && [ "$suite_passed" != 0 ]
}
