#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET [TARGET...]: configures and builds build/PRESET; prints little where all goes well. The environment
# variable WEFT_CUDA_ARCHITECTURES (90, or "75;90") says for which GPUs to compile. Without it a build for use here compiles
# for the GPUs that are here, and where there is none only to the PTX from which drivers make code for any GPU: code for all
# that nvcc knows, the default of CMake itself and of the preset `portable`, takes many times longer. WEFT_CUDA_QUICK=ON compiles
# what no GPU will run: sooner, to slower code. WEFT_ISAS=v3, or "v3;v4", says for which instruction sets, in place of what the
# preset has.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p "build/$preset"
log=build/$preset/configure.log
if [ -z "${WEFT_CUDA_ARCHITECTURES:-}" ] && [ "$preset" != portable ]; then
    WEFT_CUDA_ARCHITECTURES=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -un |
        grep '^[0-9][0-9]*$' | paste -s -d ';' -) || true
    WEFT_CUDA_ARCHITECTURES=${WEFT_CUDA_ARCHITECTURES:-75-virtual}
fi
if ! cmake --preset "$preset" "-DWEFT_KERNEL_STORE=$PWD/build/kernels" \
    ${WEFT_CUDA_ARCHITECTURES:+"-DWEFT_CUDA_ARCHITECTURES=$WEFT_CUDA_ARCHITECTURES"} \
    "-DWEFT_CUDA_QUICK=${WEFT_CUDA_QUICK:-OFF}" ${WEFT_ISAS:+"-DWEFT_ISAS=$WEFT_ISAS"} \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
grep '^-- without ' "$log" || true
ninja -C "build/$preset" "$@"
