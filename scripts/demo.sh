#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh: filters the photograph through examples/demo.weft, and prints the plan, the time and the output's path.
set -eu
cd "$(dirname "$0")/.."
weft=build/release/weft
mkdir -p out

echo
echo "The graph, examples/demo.weft:"
echo
sed -e '/^#/d' -e '/^$/d' -e 's/^/    /' examples/demo.weft
echo
echo "Its plan for a photograph of 1024x768:"
echo
$weft plan --size 1024x768 --format u8x3 -f examples/demo.weft | sed 's/^/    /'
echo
begin=$(date +%s%N)
$weft run examples/photo.jpg -f examples/demo.weft out/demo.png
end=$(date +%s%N)
echo "Read examples/photo.jpg, filtered it and wrote it in $(((end - begin) / 1000000)) ms."
echo "The result is $PWD/out/demo.png"
