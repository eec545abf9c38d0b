#!/bin/sh
# SPDX-License-Identifier: MIT
# validated.sh COMMAND...: runs a command under the Vulkan validation layers, and fails when they have anything to say.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$@" >"$log" 2>&1
status=$?
cat "$log"
if grep -qE 'Validation (Error|Warning|Performance)|VUID-|UNASSIGNED-' "$log"; then
    echo "validation: 0 passed, 1 failed"
    exit 1
fi
echo "validation: 1 passed, 0 failed"
exit "$status"
