#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET [TARGET...]: configures and builds build/PRESET; prints little where all goes well.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p "build/$preset"
log=build/$preset/configure.log
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
ninja -C "build/$preset" "$@"
