#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh BUILD [HARNESS OPTION...]: the harness under valgrind memcheck, for memory that is read before anything wrote it.
# Without options 6 cases of every filter, in some minutes of a processor.
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- --cases 6
if ! command -v valgrind >/dev/null 2>&1; then
    echo "valgrind: it is not installed"
    echo "valgrind: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
# It knows no AVX-512.
WEFT_CPU_ISA=${WEFT_CPU_ISA:-x86-64-v3}
export WEFT_CPU_ISA
exec valgrind -q --error-exitcode=9 --error-limit=no "$build/tests/harness" --threads 1 --patience 1000 "$@"
