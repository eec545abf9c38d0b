#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh [PYTHON...]: makes wheels of pyweft in build/wheels, python3's without arguments: one for each interpreter, which of
# Python 3.12 and later serves all that follow, and of a free-threaded one by itself. auditwheel puts the libraries of file formats
# inside. A wheel above 25 MB is an error.
set -eu
cd "$(dirname "$0")/.."
most=25000000
mkdir -p build/wheels
[ $# -gt 0 ] || set -- python3
for python in "$@"; do
    tag=$("$python" -c 'import sys, sysconfig
print(f"cp{sys.version_info[0]}{sys.version_info[1]}" + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))')
    tools=$PWD/build/wheel-tools-$tag
    if ! cmp -s python/requirements-wheel.txt "$tools/installed.txt"; then
        "$python" -m venv "$tools"
        "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --requirement python/requirements-wheel.txt
        cp python/requirements-wheel.txt "$tools/installed.txt"
    fi
    raw=build/wheel-raw-$tag
    rm -rf "$raw"
    PATH=$tools/bin:$PATH "$tools/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
        --config-settings "build-dir=$PWD/python/build/wheel-$tag" --wheel-dir "$raw" ./python
    PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --strip --wheel-dir build/wheels "$raw"/*.whl
done
for wheel in build/wheels/*.whl; do
    bytes=$(wc -c <"$wheel")
    echo "$wheel: $bytes bytes"
    [ "$bytes" -le "$most" ] || { echo "wheel.sh: $wheel is above $most bytes" >&2; exit 1; }
done
