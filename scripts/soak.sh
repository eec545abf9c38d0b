#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh [SECONDS [DEVICE]]: an hour, or so many seconds, of a frame loop whose parameters change; memory must stay flat.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh release soak
exec build/release/tests/soak "${2:-cpu}" "${1:-3600}"
