#!/bin/sh
# SPDX-License-Identifier: MIT
# replay.sh BUILD: gives the fuzz targets of a build once each of what they start from and of what has been found.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
rm -rf "$build/corpus"
mkdir -p "$build/corpus"
"$build/tests/fuzz_seeds" "$build/corpus"
status=0
for target in text files graphs video; do
    kept=tests/fuzz/kept/$target
    [ -d "$kept" ] || kept=
    if [ -z "$kept$(ls "$build/corpus/$target")" ]; then
        echo "replay $target: skipped, this build makes none"
        continue
    fi
    if ! "$build/tests/replay_$target" "$build/corpus/$target" $kept 2>"$build/corpus/$target.log"; then
        tail -n 30 "$build/corpus/$target.log"
        echo "replay $target: 0 passed, 1 failed"
        status=1
    fi
done
exit $status
