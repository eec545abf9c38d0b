#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh: compiles each public header by itself, as C17 and as C++17, with every compiler that is there.
set -u
cd "$(dirname "$0")/.."
passed=0
failed=0
try() {
    if printf '#include "%s"\n' "$header" | "$@" -Wall -Wextra -Werror -pedantic -Iinclude -fsyntax-only -; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $header as $*"
    fi
}
for header in include/weft/*.h; do
    header=${header#include/}
    for compiler in gcc clang; do
        command -v $compiler >/dev/null && try $compiler -std=c17 -x c
    done
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null && try $compiler -std=c++17 -x c++
    done
done
echo "headers: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
