#!/bin/sh
# SPDX-License-Identifier: MIT
# bodies.sh BUILD: pushes every filter's body through the GPU compilers that are there and counts.
set -u
log=$(mktemp)
ninja -C "$1" -k 0 check_bodies >"$log" 2>&1
status=$?
all=$(ninja -C "$1" -t targets all | grep -c '^check/[a-z0-9_]*\.\(spv\|cubin\): ')
failed=$(grep -c '^FAILED: ' "$log")
if [ "$status" != 0 ]; then
    cat "$log"
    [ "$failed" = 0 ] && failed=1
fi
rm -f "$log"
echo "bodies: $((all - failed)) passed, $failed failed"
[ "$failed" = 0 ]
