#!/bin/sh
# SPDX-License-Identifier: MIT
# test_gpu.sh: builds the release preset and runs the tests of GPUs on all that this machine has, software ones
# included; says which backends have none, and why. Ends in one line, 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/.."
. scripts/suite.sh

scripts/build.sh release
build=build/release
suite_begin build/test-gpu
suite_validated $build
suite_gpu_tests "" $build
suite_gpus harness $build 40 1
suite_end
