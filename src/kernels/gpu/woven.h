/* SPDX-License-Identifier: MIT
 * What weft puts together into code for one program where CUDA's driver compiles it (backend/cuda/weave.c): every point
 * filter, reading and writing four pixels, as functions. The build makes of the functions' PTX text that stands for
 * itself (cmake/weave.awk); of the kernel only the call of `woven_program` stays, which is the text that weft writes.
 * What programs know (shapes, formats) comes as numbers in the text, and is folded. */
#ifndef KERNELS_GPU_WOVEN_H
#define KERNELS_GPU_WOVEN_H

#define WOVEN extern "C" __device__ __noinline__

#define WOVEN_OPERATION(number, operation)                                                                             \
    WOVEN vec4 woven_##number(vec4 a, vec4 b, place at, address block, int shape) {                                    \
        return operation(a, b, at, block, shape);                                                                      \
    }
#include "woven_operations.h" /* generated: WOVEN_OPERATION(number, name) for every point filter */

/* woven_read14: of type 1 and 4 channels, where L.image[image] is. */
#define WOVEN_READ(type, channels)                                                                                     \
    WOVEN four_pixels woven_read##type##channels(const gpu_launch &L, int image, int near, int x, int y, int width) {  \
        return read_batch(L.image[image].first, L.image[image].pitch, type, channels, x, y, width, near != 0);         \
    }
#define WOVEN_WRITE(type, channels)                                                                                    \
    WOVEN void woven_write##type##channels(const gpu_launch &L, int image, int near, int x, int y, four_pixels p) {    \
        if (y >= L.image[image].from_y && y < L.image[image].to_y)                                                     \
            write_batch(L.image[image].first, L.image[image].pitch, type, channels, x, y, L.width, near != 0, p);      \
    }
#define WOVEN_CHANNELS(each, type) each(type, 1) each(type, 2) each(type, 3) each(type, 4)
/* By number: TYPE_NUMBERS, which are read alone, is the last. */
#define WOVEN_TYPES(each)                                                                                              \
    WOVEN_CHANNELS(each, 1) WOVEN_CHANNELS(each, 2) WOVEN_CHANNELS(each, 3) WOVEN_CHANNELS(each, 4)
WOVEN_TYPES(WOVEN_READ)
WOVEN_CHANNELS(WOVEN_READ, 5)
WOVEN_TYPES(WOVEN_WRITE)

extern "C" __device__ void woven_program(const gpu_launch &L, int x, int y);
LFN(void, run_batch, int x, int y) { woven_program(L, x, y); }

#endif
