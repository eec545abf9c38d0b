#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares weft with OpenCV, SciPy, scikit-image and Pillow. Usage: tests/peers/run.sh [WEFT [OPTION...]]
# Where pip cannot get the peers the suite is skipped and says so; as only a suite that runs can count its comparisons,
# that counts as one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
weft=${1:-$root/build/release/weft}
[ $# = 0 ] || shift
if ! python=$("$here/python.sh"); then
    echo "peers: skipped"
    echo "peers: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec "$python" "$here/test_peers.py" "$weft" "$root/examples/photo.jpg" "$@"
