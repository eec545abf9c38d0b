#!/bin/sh
# SPDX-License-Identifier: MIT
# weave.sh OUT NVCC FLAG... SOURCE: compiles the woven form of a kernel to PTX and makes OUT of it (weave.awk).
set -e
out=$1
shift
"$@" -o "$out.ptx"
awk -f "${0%.sh}.awk" "$out.ptx" >"$out.part"
mv "$out.part" "$out"
