/* SPDX-License-Identifier: MIT
 * Splits a row into its even and its odd pixels. */
#ifndef KERNELS_SPLIT_H
#define KERNELS_SPLIT_H
#include <stdint.h>
#include <string.h>
#include "kernels/rows.h"

#define SPLIT(bytes)                                                                                                   \
    static inline void split_by_##bytes(const void *from, void *even_to, void *odd_to, int64_t pixels) {               \
        const split_##bytes *in = from;                                                                                \
        split_##bytes *even = even_to, *odd = odd_to;                                                                  \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < pixels; x++) {                                                                         \
            even[x] = in[2 * x];                                                                                       \
            odd[x] = in[2 * x + 1];                                                                                    \
        }                                                                                                              \
    }
typedef uint16_t split_2 __attribute__((may_alias));
typedef uint32_t split_4 __attribute__((aligned(2), may_alias));
typedef uint64_t split_8 __attribute__((aligned(2), may_alias));
SPLIT(2)
SPLIT(4)
SPLIT(8)
#undef SPLIT

/* Pixels of three u16, for which compilers make moves one by one. Reads and writes nothing behind the pixels; returns how many were
 * done. */
static inline int64_t split_3_u16(const uint16_t *in, uint16_t *even, uint16_t *odd, int64_t pixels) {
    typedef uint16_t eight_u16 __attribute__((vector_size(16)));
    int64_t x = 0;
    for (; x + 3 <= pixels; x += 2) {
        eight_u16 a, b;
        memcpy(&a, in + 6 * x, sizeof a), memcpy(&b, in + 6 * x + 4, sizeof b);
        eight_u16 p = __builtin_shufflevector(a, b, 0, 1, 2, 6, 7, 12, 12, 12);
        eight_u16 q = __builtin_shufflevector(a, b, 3, 4, 5, 13, 14, 15, 15, 15);
        memcpy(even + 3 * x, &p, sizeof p), memcpy(odd + 3 * x, &q, sizeof q);
    }
    return x;
}

/* Splits 2 * pixels pixels into even and odd ones. `pixel`: the bytes of a pixel, an even number. */
static inline __attribute__((unused)) void split_pixels(const void *in, size_t pixel, void *even, void *odd,
                                                        int64_t pixels) {
    int64_t done = 0;
    switch (pixel) {
    case 2:
        split_by_2(in, even, odd, pixels);
        return;
    case 4:
        split_by_4(in, even, odd, pixels);
        return;
    case 8:
        split_by_8(in, even, odd, pixels);
        return;
    case 6:
        done = split_3_u16(in, even, odd, pixels);
        break;
    default:
        break;
    }
    for (int64_t x = done; x < pixels; x++) {
        const char *from = (const char *)in + 2 * (size_t)x * pixel;
        memcpy((char *)even + (size_t)x * pixel, from, pixel);
        memcpy((char *)odd + (size_t)x * pixel, from + pixel, pixel);
    }
}

#endif
