#!/bin/sh
# SPDX-License-Identifier: MIT
# accuracy.sh [OPTION...]: installs weft's peers where they are missing, measures errors and writes docs/accuracy.md.
set -eu
cd "$(dirname "$0")/.."
found=$(bench/pythons.sh)
exec "$(echo "$found" | sed -n 's/^newest=//p')" bench/accuracy.py $(printf -- '--python %s ' $found) "$@"
