#!/bin/sh
# SPDX-License-Identifier: MIT
# pythons.sh: installs the peers and prints NAME=PATH for each Python that has some: newest, the newest wheels; simd,
# Pillow-SIMD, which is another Pillow; debian, the OpenCV of Debian. What cannot be had is left out with a word;
# without the newest the exit status is 1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)

newest=$("$root/scripts/python.sh" "$root/build/bench/newest" "$here/requirements.txt") || exit 1
echo "newest=$newest"
# Pillow-SIMD is compiled here, for the instructions that this machine has.
vectors=
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
    vectors=-mavx2
fi
if simd=$(CC="cc $vectors" "$root/scripts/python.sh" "$root/build/bench/simd" "$here/requirements-simd.txt"); then
    echo "simd=$simd"
else
    echo "bench: without Pillow-SIMD" >&2
fi
if /usr/bin/python3 -c 'import cv2' 2>/dev/null; then
    echo "debian=/usr/bin/python3"
else
    echo "bench: without the OpenCV of Debian, python3-opencv" >&2
fi
