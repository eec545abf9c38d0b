#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh: prints the path of a Python that has the peers, or says why there is none, as scripts/python.sh does.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
exec "$root/scripts/python.sh" "$root/build/peers" "$here/requirements.txt"
