#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET [TARGET...]: configures and builds build/PRESET; prints little where all goes well. In the environment
# WEFT_ISAS=v3, or "v3;v4", says for which instruction sets, in place of what the preset has.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p "build/$preset"
log=build/$preset/configure.log
if ! cmake --preset "$preset" ${WEFT_ISAS:+"-DWEFT_ISAS=$WEFT_ISAS"} \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
grep '^-- without ' "$log" || true
ninja -C "build/$preset" "$@"
