#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh [OPTION...]: times all cells and writes the tables and plots of docs/performance.md, then measures errors and
# writes docs/accuracy.md. Options are those of bench/run.sh. For figures worth keeping the machine should be idle.
set -eu
cd "$(dirname "$0")/.."
results=build/bench/results.json
bench/run.sh "$@" --json $results
python=$(bench/pythons.sh | sed -n 's/^newest=//p')
"$python" bench/plots.py $results
"$python" bench/tables.py $results
bench/accuracy.sh
