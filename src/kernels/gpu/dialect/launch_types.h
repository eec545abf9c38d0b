/* SPDX-License-Identifier: MIT
 * What launch data is made of, alike for the host, CUDA and Vulkan: int, float, address (of device memory) and
 * long_int, of 4, 4, 8 and 8 bytes. */
#ifndef KERNELS_GPU_LAUNCH_TYPES_H
#define KERNELS_GPU_LAUNCH_TYPES_H

#if defined(GLSL) || defined(__CUDACC__)
#include "kernels/gpu/dialect/kernel.h"
#define STRUCT_OF(name) name
#else
#include <stdint.h>
typedef uint64_t address;
typedef int64_t long_int;
#define STRUCT_OF(name) struct name
#endif

#endif
