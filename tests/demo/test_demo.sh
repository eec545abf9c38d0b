#!/bin/sh
# SPDX-License-Identifier: MIT
# 'make demo' does what it says: plan, time and path are printed, and the picture is there.
set -u
cd "$(dirname "$0")/../.."
passed=0
failed=0
check() { # WORDS COMMAND...
    words=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $words"
    fi
}
rm -f out/demo.png
said=$(make demo 2>&1)
check "make demo succeeds" test $? = 0
echo "$said"
check "the graph is one pass" sh -c 'echo "$1" | grep -q "^ *1 pass "' sh "$said"
check "the time is printed" sh -c 'echo "$1" | grep -q " in [0-9]* ms"' sh "$said"
path=$(echo "$said" | sed -n 's/^The result is //p')
check "the picture is where it says" test -s "$path"
check "the picture is a PNG" sh -c 'head -c 4 "$1" | grep -q PNG' sh "$path"
echo "demo: $passed passed, $failed failed"
[ "$failed" = 0 ]
