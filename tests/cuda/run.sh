#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [CASES [PARTS]]: everything that a machine without a GPU can say about the CUDA backend, on the emulated device, with
# so many cases, 40, of each filter, or of those of one of so many parts, which WEFT_TEST_SEED says. With WEFT_TEST_CASES in the
# environment each test of GPUs has so many of its cases: what takes long is to compile a kernel for each.
set -eu
if [ ! -e "$1/tests/cuda/emulated/libcuda.so.1" ]; then
    echo "run.sh: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
LD_LIBRARY_PATH=$(cd "$1" && pwd)/tests/cuda/emulated${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
# The stand-in keeps what it compiles itself (build/emulated).
WEFT_NVRTC=$(cd "$1" && pwd)/tests/cuda/emulated
export WEFT_NVRTC WEFT_KERNEL_CACHE=none
export WEFT_TEST_EMULATED=1
# Of CUDA alone: Vulkan's devices are not listed either.
export VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null
# Side by side: each is one thread for most of its time.
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
running=
begin() { # NAME COMMAND...
    name=$1
    shift
    "$@" >"$said/$name" 2>&1 &
    running="$running $!"
}
begin cuda "$1/tests/cuda/test_cuda"
begin store "$(dirname "$0")/store.sh" "$1"
begin driver "$1/tests/test_gpu_driver"
begin rank "$1/tests/test_gpu_rank" cuda
begin bytes "$1/tests/test_gpu_bytes" cuda
begin bytes90 env WEFT_EMULATED_CAPABILITY=90 "$1/tests/test_gpu_bytes" cuda
begin box "$1/tests/test_gpu_box" cuda
begin boxes "$1/tests/test_gpu_box_numbers" cuda
begin resize env WEFT_EMULATED_CAPABILITY=90 "$1/tests/test_gpu_resize" cuda
begin guided "$1/tests/test_gpu_guided" cuda
begin by_two "$1/tests/test_gpu_by_two" cuda
# Tensor-core products of f16 are for compute capability 8.0 and later.
# Its pictures are large, and the emulated device is slow.
begin bands env WEFT_EMULATED_CAPABILITY=90 ${WEFT_TEST_CASES:+WEFT_TEST_CASES=$(((WEFT_TEST_CASES + 3) / 4))} \
    "$1/tests/test_gpu_bands" cuda 3
begin infinite env WEFT_EMULATED_CAPABILITY=90 "$1/tests/test_gpu_infinite" cuda
begin numbers env WEFT_EMULATED_CAPABILITY=90 "$1/tests/test_gpu_numbers" cuda
begin points "$1/tests/test_gpu_points" cuda
# As the real compiler is given it, with all that a launch knows: each kernel takes a quarter of a second to compile.
begin exact env WEFT_EMULATED_EXACT=1 WEFT_EMULATED_CAPABILITY=90 "$1/tests/harness" --device cuda --cases 1 --threads 1 --part 1/12
begin stencils "$1/tests/test_gpu_stencils" cuda
begin reductions "$1/tests/test_gpu_reductions" cuda
begin queue "$1/tests/test_queue_numbers" cuda
begin fuzz "$1/tests/fuzz_graphs" --device cuda --count "${WEFT_TEST_CASES:-60}" --seed "${WEFT_TEST_SEED:-1}"
begin state "$1/tests/test_state" cuda
begin auto "$1/tests/test_auto" cuda
begin formats env WEFT_EMULATED_EXACT=1 WEFT_EMULATED_CAPABILITY=90 "$1/tests/test_state_formats" cuda
parts=${3:-1}
part=$((2 * (${WEFT_TEST_SEED:-1} % parts) + 1))
begin harness1 env WEFT_EMULATED_CAPABILITY=90 \
    "$1/tests/harness" --device cuda --cases "${2:-40}" --threads 1 --part "$part/$((2 * parts))"
begin harness2 "$1/tests/harness" --device cuda --cases "${2:-40}" --threads 1 --part "$((part + 1))/$((2 * parts))"
status=0
for each in $running; do
    wait "$each" || status=1
done
cat "$said"/*
exit $status
