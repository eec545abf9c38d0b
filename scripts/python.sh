#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh FOLDER REQUIREMENTS: prints the path of a Python that has the packages of the file, in a virtual environment
# that is made once, in FOLDER. Where that cannot be had, exit status 1 and one line that says why.
set -eu
venv=$1
requirements=$2

fail() {
    echo "$1" >&2
    exit 1
}

command -v python3 >/dev/null || fail "there is no python3"
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    mkdir -p "$venv"
    log=$venv/install.log
    python3 -m venv "$venv" >"$log" 2>&1 || fail "python3 cannot make a virtual environment, see $log"
    "$venv/bin/python" -m pip install --disable-pip-version-check --retries 1 --timeout 20 \
        --requirement "$requirements" >"$log" 2>&1 || fail "pip cannot install what $requirements lists, see $log"
    cp "$requirements" "$venv/installed.txt"
fi
echo "$venv/bin/python"
