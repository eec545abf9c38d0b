# SPDX-License-Identifier: MIT
# To be sourced: runs test programs and sums what they say. A program says 'NAME: N passed, N failed' (and
# ', N skipped' where that is so) once or more, or ends in 'N passed, N failed'. One that says nothing, or exits badly
# without a failure of its own, counts as a failure.

# What software GPUs compile is kept between runs.
export MESA_SHADER_CACHE_DIR="${MESA_SHADER_CACHE_DIR:-$PWD/build/mesa}"
# The seed that cases are drawn by, the same for all, so that what passes here passes there; other ones find more.
WEFT_TEST_SEED=${WEFT_TEST_SEED:-1}
export WEFT_TEST_SEED
suite_passed=0
suite_failed=0
suite_number=0
suite_running=

# suite_begin FOLDER: where the logs go.
suite_begin() {
    suite_folder=$1
    rm -rf "$suite_folder"
    mkdir -p "$suite_folder"
    echo "seconds, and of the processor; cases drawn by WEFT_TEST_SEED=$WEFT_TEST_SEED"
}

# suite_run NAME COMMAND...: begins a program as soon as one of those that run side by side, one more than there are
# processors since some wait, has ended. suite_alone waits for them first and then for it: for what uses what others make, builds,
# or needs all processors.
suite_run() {
    suite_wait "$(($(nproc) + 1))"
    suite_number=$((suite_number + 1))
    suite_program "$suite_folder/.said$suite_number" "$@" </dev/null &
    suite_running="$suite_running $suite_number:$!"
}
suite_alone() {
    suite_wait 1
    suite_run "$@"
    suite_wait 1
}

# suite_in_turn COMMAND...: each a line of shell, for suite_run: what calls make itself, not side by side.
suite_in_turn() {
    suite_status=0
    for suite_line; do
        sh -c "$suite_line" || suite_status=1
    done
    return "$suite_status"
}

# suite_wait COUNT: until fewer than COUNT run; prints what the others said, and sums it up.
suite_wait() {
    while [ -n "$suite_running" ]; do
        suite_left=
        suite_count=0
        for suite_each in $suite_running; do
            suite_ended=yes
            kill -0 "${suite_each#*:}" 2>/dev/null && suite_ended=
            suite_said=$suite_folder/.said${suite_each%:*}
            if [ -n "$suite_ended" ] && [ ! -e "$suite_said" ]; then
                printf '0 1\n        program %s was killed with its shell\n' "${suite_each%:*}" >"$suite_said"
            fi
            if [ -e "$suite_said" ]; then
                read -r suite_more suite_less <"$suite_said"
                suite_passed=$((suite_passed + suite_more))
                suite_failed=$((suite_failed + suite_less))
                sed 1d "$suite_said"
            else
                suite_left="$suite_left $suite_each"
                suite_count=$((suite_count + 1))
            fi
        done
        suite_running=$suite_left
        [ "$suite_count" -ge "$1" ] || return 0
        sleep 0.1
    done
}

# suite_program SAID NAME COMMAND...: runs it; SAID gets how much passed and failed, one line to print, and the end of the
# program's output where it failed. Of two runs the second number can be compared, the processor's time: what the first is depends
# on what runs beside.
suite_program() {
    suite_said=$1
    suite_name=$2
    suite_log=$suite_folder/$2.log
    shift 2
    suite_start=$(date +%s)
    suite_status=0
    "$@" >"$suite_log" 2>&1 || suite_status=$?
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
    times >"$suite_said.part"
    suite_spent=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$suite_said.part")
    {
        echo "$1 $2"
        suite_start=$(($(date +%s) - suite_start))
        printf '%4d s (%3d)  %-28s %7d passed, %d failed%s\n' $suite_start "$suite_spent" "$suite_name" "$1" "$2" \
            "$suite_word"
        if [ "$2" != 0 ]; then
            sed 's/^/    | /' "$suite_log" | tail -n 40
            echo "    | all of it: $suite_log"
        fi
    } >"$suite_said.part"
    mv "$suite_said.part" "$suite_said"
}

# suite_harness WORDS BUILD CASES THREADS...: the harness, so many cases of each filter on every instruction set of this machine by
# so many threads. Each draws cases of its own.
suite_harness() {
    suite_words=$1
    suite_build=$2
    suite_cases=$3
    shift 3
    suite_seed=$WEFT_TEST_SEED
    for isa in x86-64-v2 x86-64-v3 x86-64-v4 neon; do
        if WEFT_CPU_ISA=$isa "$suite_build/weft" plan --device cpu invert >/dev/null 2>&1; then
            for threads; do
                suite_run "$suite_words $isa, threads $threads" env WEFT_CPU_ISA=$isa "$suite_build/tests/harness" \
                    --cases "$suite_cases" --seed "$suite_seed" --threads "$threads"
                suite_seed=$((suite_seed + 100))
            done
        fi
    done
}

# Where Debian has the Vulkan validation layers.
suite_layers_file=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json

# suite_gpus WORDS BUILD CASES PARTS: the harness, shortly, on every GPU; on software ones, which take long to compile kernels,
# with so many cases of each filter in one of so many parts of the filters, which WEFT_TEST_SEED says, and under the Vulkan
# validation layers where they are there: any word of theirs is a failure. Says which GPUs are not there, and why.
suite_gpus() {
    suite_layers=
    [ -e "$suite_layers_file" ] && suite_layers=scripts/validated.sh
    suite_part=$(($WEFT_TEST_SEED % $4 + 1))/$4
    "$2/weft" devices | grep -E '^(cuda|vulkan)' >"$suite_folder/gpus" || true
    while read -r gpu rest; do
        case $rest in
        "not available: "*) printf '        %-28s skipped: %s\n' "$1 $gpu" "${rest#not available: }" ;;
        *software*)
            suite_run "$1 $gpu${suite_layers:+, validated}" timeout 1800 $suite_layers "$2/tests/harness" \
                --device "$gpu" --seed "$WEFT_TEST_SEED" --cases "$3" --part "$suite_part" --threads 1
            case $gpu in vulkan*) suite_float16 "$1 $gpu" "$2" "$gpu" ;; esac ;;
        *) suite_run "$1 $gpu" timeout 1800 "$2/tests/harness" --device "$gpu" --quick --threads 1 ;;
        esac
    done <"$suite_folder/gpus"
}

# suite_float16 WORDS BUILD GPU: what compares bytes as half floats, which software devices are not given by themselves.
suite_float16() {
    suite_run "$1, half floats: test_gpu_rank" env WEFT_VULKAN_FLOAT16=1 $suite_layers "$2/tests/test_gpu_rank" "$3"
    for filter in dilate erode; do
        suite_run "$1, half floats: $filter" env WEFT_VULKAN_FLOAT16=1 $suite_layers \
            "$2/tests/harness" --device "$3" --filter $filter --seed "$WEFT_TEST_SEED" --cases 4 --threads 1
    done
}

# suite_gpu_tests WORDS BUILD: the tests of GPUs, on software ones with WEFT_TEST_CASES cases each, where that is set.
suite_gpu_tests() {
    for suite_test in "$2"/tests/test_gpu_*; do
        [ "$suite_test" = "$2/tests/test_gpu_driver" ] && [ -e "$suite_layers_file" ] && continue # runs under the layers
        [ -x "$suite_test" ] && suite_run "$1$(basename "$suite_test")" "$suite_test"
    done
}

# suite_validated BUILD: the drivers' test under the Vulkan validation layers.
suite_validated() {
    if [ -e "$suite_layers_file" ]; then
        suite_run "test_gpu_driver, validated" scripts/validated.sh "$1/tests/test_gpu_driver"
    else
        printf '        %-28s skipped: no Vulkan validation layers\n' "test_gpu_driver, validated"
    fi
}

# suite_end: the one line that sums up; fails when something failed or nothing ran.
suite_end() {
    suite_wait 1
    echo "$suite_passed passed, $suite_failed failed"
    [ "$suite_failed" = 0 ] && [ "$suite_passed" != 0 ]
}
