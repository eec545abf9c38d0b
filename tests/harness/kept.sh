#!/bin/sh
# SPDX-License-Identifier: MIT
# kept.sh BUILD: the cases of the harness that found a defect once: a filter, a seed, the number of a case, and its options. A
# filter whose parameters change draws others by the same numbers.
set -eu
status=0
while read -r filter seed number options; do
    # shellcheck disable=SC2086
    "$1/tests/harness" --filter "$filter" --seed "$seed" --case "$number" $options || status=1
done <<'KEPT'
mosaic_tiles 1 149
yuv_decode 1 152
tv_denoise 1 114
gaussian_fold 101 24
parallel_coordinates 43 285
auto_levels 1 801 --widths
projective 1 848 --widths
projective 1 1434 --widths
KEPT
exit $status
