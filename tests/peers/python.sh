#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh: prints the path of a Python that has the peers, in a virtual environment that is made once, build/peers.
# Where that cannot be had, exit status 1 and one line that says why.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=$(cd "$here/../.." && pwd)/build/peers

fail() {
    echo "$1" >&2
    exit 1
}

command -v python3 >/dev/null || fail "there is no python3"
if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
    mkdir -p "$venv"
    log=$venv/install.log
    python3 -m venv "$venv" >"$log" 2>&1 || fail "python3 cannot make a virtual environment, see $log"
    "$venv/bin/python" -m pip install --disable-pip-version-check --retries 1 --timeout 20 \
        --requirement "$here/requirements.txt" >"$log" 2>&1 || fail "pip cannot install the peers, see $log"
    cp "$here/requirements.txt" "$venv/installed.txt"
fi
echo "$venv/bin/python"
