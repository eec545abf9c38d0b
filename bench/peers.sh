#!/bin/sh
# SPDX-License-Identifier: MIT
# Times weft beside OpenCV, SciPy and Pillow. Usage: bench/peers.sh [OPTION...], see bench/peers.py --help.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=$("$root/tests/peers/python.sh") || {
    echo "peers: not timed"
    exit 0
}
exec "$python" "$root/bench/peers.py" --weft "$root/build/release/weft" "$@"
