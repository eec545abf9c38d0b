/* SPDX-License-Identifier: MIT
 * How a kernel begins and where it finds its launch: KERNEL, L and the numbers that Vulkan's pipelines know. BLOCKS_PER_SM, which
 * a kernel may define first: blocks that are to fit a multiprocessor, which CUDA's compiler sees to. */
#ifndef KERNELS_GPU_ENTRY_H
#define KERNELS_GPU_ENTRY_H
#include "kernels/gpu/dialect/kernel.h"
#include "kernels/gpu/dialect/launch.h"

#if defined(GLSL)
/* Uniform: no store can change it, so it need not be read again after each. */
layout(set = 0, binding = 0, scalar) uniform launch_block { gpu_launch launch; };
#define L launch
#define BLOCK_ADDRESS(offset) (L.blocks + address(4 * (offset)))
#define KERNEL(name, threads_x, threads_y)                                                                             \
    layout(local_size_x = threads_x, local_size_y = threads_y) in;                                                     \
    void main()
#define S_(name) name
layout(constant_id = SPECIAL_FOLDED) const int FOLDED = 0;
layout(constant_id = SPECIAL_IN_TYPE) const int IN_TYPE = 0;
layout(constant_id = SPECIAL_IN_CHANNELS) const int IN_CHANNELS = 0;
layout(constant_id = SPECIAL_CHANNELS) const int KNOWN_CHANNELS = 0;
layout(constant_id = SPECIAL_LOAD_COUNT) const int LOAD_COUNT = 0;
layout(constant_id = SPECIAL_STORE_COUNT) const int STORE_COUNT = 0;
layout(constant_id = SPECIAL_BORDER) const int KNOWN_BORDER = 0;
layout(constant_id = SPECIAL_REDUCE_COUNT) const int REDUCE_COUNT = 0;
layout(constant_id = SPECIAL_CONVERTS) const int CONVERTS = 0;
#else
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef KERNEL_ENTRY /* the emulated device has a name for all kernels, and passes a reference */
#define KERNEL_ENTRY(name) name
#define LAUNCH_ARGUMENT gpu_launch
#endif
#define BLOCK_ADDRESS(offset)                                                                                          \
    (KNOWN(KNOWN_BOUND, L.blocks != 0) ? L.blocks + address(4 * (offset)) : address(&L.words[offset]))
#define KERNEL(name, threads_x, threads_y)                                                                             \
    extern "C" __global__ void __launch_bounds__((threads_x) * (threads_y), BLOCKS_PER_SM)                             \
        KERNEL_ENTRY(name)(const __grid_constant__ LAUNCH_ARGUMENT L)
#define S_(name) S.name
#endif

#endif
