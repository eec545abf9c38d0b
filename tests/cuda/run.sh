#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD: everything that a machine without a GPU can say about the CUDA backend, on the emulated device.
set -eu
if [ ! -e "$1/tests/cuda/emulated/libcuda.so.1" ]; then
    echo "run.sh: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
LD_LIBRARY_PATH=$(cd "$1" && pwd)/tests/cuda/emulated${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
# Of CUDA alone: Vulkan's devices are not listed either.
export VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null
# Side by side: each is one thread for most of its time.
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
"$1/tests/cuda/test_kernels" >"$said/kernels" 2>&1 &
kernels=$!
"$1/tests/cuda/test_cuda" >"$said/cuda" 2>&1 &
cuda=$!
"$1/tests/test_gpu_driver" >"$said/driver" 2>&1 &
driver=$!
"$1/tests/test_gpu_rank" cuda >"$said/rank" 2>&1 &
rank=$!
"$1/tests/harness" --device cuda --quick --threads 1 --part 2/2 >"$said/harness" 2>&1 &
harness=$!
status=0
"$1/tests/harness" --device cuda --quick --threads 1 --part 1/2 || status=1
wait $harness || status=1
wait $kernels || status=1
wait $cuda || status=1
wait $driver || status=1
wait $rank || status=1
cat "$said/harness" "$said/kernels" "$said/cuda" "$said/driver" "$said/rank"
exit $status
