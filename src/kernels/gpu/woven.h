/* SPDX-License-Identifier: MIT
 * What weft puts together into code for one program where CUDA's driver compiles it (backend/cuda/weave.c): every point
 * filter, reading and writing four pixels, as functions. The build makes of the functions' PTX text that stands for
 * itself (cmake/weave.awk); of the kernel the calls of `woven_prepare` and `woven_program` give way to text that weft writes.
 * What programs know (shapes, formats) comes as numbers in the text, and is folded. */
#ifndef KERNELS_GPU_WOVEN_H
#define KERNELS_GPU_WOVEN_H

#define WOVEN extern "C" __device__ __noinline__

#define WOVEN_OPERATION(number, operation)                                                                             \
    WOVEN vec4 woven_##number(vec4 a, vec4 b, place at, address block, int shape) {                                    \
        return operation(a, b, at, block, shape);                                                                      \
    }
#include "woven_operations.h" /* generated: WOVEN_OPERATION(number, name) for every point filter */

/* What the launch says: the text that comes in place of the functions has it among the kernel's parameters, where the
 * compiler of the functions cannot know it to be. */
FN long_int told_long(const void *at) {
    long_int v;
    asm("ld.param.u64 %0, [%1];" : "=l"(v) : "l"(at));
    return v;
}
FN int told(const void *at) {
    int v;
    asm("ld.param.u32 %0, [%1];" : "=r"(v) : "l"(at));
    return v;
}
#define TOLD_IMAGE(i) address(told_long(&L.image[i].first)), told_long(&L.image[i].pitch)

/* woven_read14: of type 1 and 4 channels, where L.image[image] is. */
#define WOVEN_READ(type, channels)                                                                                     \
    WOVEN four_pixels woven_read##type##channels(const gpu_launch &L, int image, int near, int x, int y, int width) {  \
        return read_batch(TOLD_IMAGE(image), type, channels, x, y, width, near != 0);                                  \
    }
#define WOVEN_WRITE(type, channels)                                                                                    \
    WOVEN void woven_write##type##channels(const gpu_launch &L, int image, int near, int x, int y, four_pixels p) {    \
        if (y >= told(&L.image[image].from_y) && y < told(&L.image[image].to_y))                                       \
            write_batch(TOLD_IMAGE(image), type, channels, x, y, told(&L.width), near != 0, p);                        \
    }
#define WOVEN_CHANNELS(each, type) each(type, 1) each(type, 2) each(type, 3) each(type, 4)
/* By number: TYPE_NUMBERS, which are read alone, is the last. */
#define WOVEN_TYPES(each)                                                                                              \
    WOVEN_CHANNELS(each, 1) WOVEN_CHANNELS(each, 2) WOVEN_CHANNELS(each, 3) WOVEN_CHANNELS(each, 4)
WOVEN_TYPES(WOVEN_READ)
WOVEN_CHANNELS(WOVEN_READ, 5)
WOVEN_TYPES(WOVEN_WRITE)

/* Of images of bytes through tables, as if that were a type. */
#define WOVEN_LOOK(type, channels)                                                                                     \
    WOVEN four_pixels woven_read##type##channels(const gpu_launch &L, int image, int near, int x, int y, int width) {  \
        return look_batch(TOLD_IMAGE(image), channels, x, y, width);                                                   \
    }
WOVEN_CHANNELS(WOVEN_LOOK, 6)

/* What is prepared, and its use. */
WOVEN vec4 woven_byte(int byte) {
    float v = number_of_bits(uint(byte), TYPE_U8);
    return rgba(v, v, v, v);
}
WOVEN void woven_keep(int byte, vec4 v) { keep_byte(byte, v); }
WOVEN vec4 woven_probe(int thread, int apart) { return probe(thread, apart != 0); }
WOVEN void woven_sums(int run, int thread, vec4 v, vec4 black) { keep_sums(run, thread, v, black); }
WOVEN four_pixels woven_matrix(int run, four_pixels p) { return run_matrix(run, p); }
WOVEN four_pixels woven_apart(int run, four_pixels p) { return run_apart(run, p); }

extern "C" __device__ void woven_prepare(const gpu_launch &L, int thread, int none);
extern "C" __device__ void woven_program(const gpu_launch &L, int x, int y);
LFN(void, prepare_batch, int thread) {
    woven_prepare(L, thread, 0);
    BARRIER;
}
LFN(void, run_batch, int x, int y) { woven_program(L, x, y); }

#endif
