/* SPDX-License-Identifier: MIT
 * Vectors of floats by the compilers' vector extension, as wide as the instruction set's registers, for loops whose sums
 * must stay in registers: left to itself, gcc 12 keeps arrays of sums in memory (gaussian=3 on u8x3 at 3840x2160, one
 * thread, took about 1.9 times as long that way). */
#ifndef KERNELS_VECTOR_H
#define KERNELS_VECTOR_H
#include "kernels/cpu/isa/prefetch.h"
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#define LANES (VECTOR_BYTES / (int)sizeof(float))

typedef float vector __attribute__((vector_size(VECTOR_BYTES)));

static inline __attribute__((always_inline, unused)) vector vector_load(const float *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}
static inline __attribute__((always_inline, unused)) void vector_store(float *to, vector v) { memcpy(to, &v, sizeof v); }

/* Runs WIDE at x for whole blocks of 4 vectors of `count` floats, then NARROW for single vectors, the last of which overlaps the
 * one before (so outputs must not be inputs), and ONE for each float of a row narrower than a vector. */
#define VECTOR_BLOCKS(count, WIDE, NARROW, ONE)                                                                        \
    int x = 0;                                                                                                         \
    for (; x + 4 * LANES <= (count); x += 4 * LANES)                                                                   \
        WIDE                                                                                                           \
    for (; x + LANES <= (count); x += LANES)                                                                           \
        NARROW                                                                                                         \
    if (x < (count) && (count) >= LANES) {                                                                             \
        x = (count)-LANES;                                                                                             \
        NARROW                                                                                                         \
        x = (count);                                                                                                   \
    }                                                                                                                  \
    for (; x < (count); x++)                                                                                           \
        ONE

#endif
