#!/bin/sh
# SPDX-License-Identifier: MIT
# built.sh PRESET: builds a preset and says so as a test does.
if "$(dirname "$0")/build.sh" "$1"; then
    echo "build: 1 passed, 0 failed"
else
    echo "build: 0 passed, 1 failed"
    exit 1
fi
