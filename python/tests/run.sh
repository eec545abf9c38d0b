#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [OPTION...]: builds the package pyweft around the library of a build and tests it by pytest, whose options
# follow. Where pip cannot get what that needs, or Python's headers or a C++ compiler are missing, it is skipped and says so.
# With WEFT_SANITIZED=1 BUILD is one with AddressSanitizer, as build/asan, and so is the module: the interpreter runs under it. The
# filters are told of by build/release/weft, which must be there.
set -eu
cd "$(dirname "$0")/../.."
weft=$(cd "$1" && pwd)
shift
build=$PWD/build/python${WEFT_SANITIZED:+-asan}
tool=$weft/weft
flags=
preload=
if [ -n "${WEFT_SANITIZED:-}" ]; then
    tool=$PWD/build/release/weft
    flags="-fsanitize=address,undefined -fno-omit-frame-pointer -g1"
    preload="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so) $(c++ -print-file-name=libstdc++.so)"
fi
skip() {
    echo "$1"
    echo "python: 0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v c++ >/dev/null || skip "there is no C++ compiler"
python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
    skip "there are no headers of Python (python3-dev)"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "python3 is older than 3.11"
python=$(scripts/python.sh "$PWD/build/python-tests" python/tests/requirements.txt) ||
    skip "pip cannot get what the tests of pyweft need"

mkdir -p "$build"
if ! {
    cmake -S python -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_BUILT="$weft" -DWEFT_TOOL="$tool" \
        -DCMAKE_CXX_FLAGS="$flags" -DPython_EXECUTABLE="$python" \
        -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" &&
        cmake --build "$build" && rm -rf "$build/site" && mkdir -p "$build/site" && cp -R python/pyweft "$build/site" &&
        cmake --install "$build" --prefix "$build/site"
} >"$build/log.txt" 2>&1; then
    cat "$build/log.txt"
    echo "python: 0 passed, 1 failed"
    exit 1
fi
export PYTHONPATH="$build/site" PYTHONDONTWRITEBYTECODE=1
# Python itself does not give all memory back.
exec env ${preload:+LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0} "$python" -m pytest \
    -q --no-header --tb=short -p no:cacheprovider --ignore=python/tests/gpu "$@" python/tests
