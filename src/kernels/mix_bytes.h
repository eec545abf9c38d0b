/* SPDX-License-Identifier: MIT
 * Pixels of bytes mixed at places inside an image: all components of a pixel are read at once, as 32 bits. When each component was
 * read by itself, with an address for each of the four pixels, a rotation of u8x3 took 4 times as long. */
#ifndef KERNELS_MIX_BYTES_H
#define KERNELS_MIX_BYTES_H
#include <stddef.h>
#include <string.h>
#include "kernels/mix_levels.h"
#include "kernels/rows.h"

#define MIX_BLOCK 64 /* pixels that are read before they are worked on */

static inline __attribute__((always_inline)) uint32_t read_bytes(const unsigned char *at, const int bytes) {
    uint32_t v = 0;
    memcpy(&v, at, (size_t)bytes);
    return v;
}

/* The mean of the four pixels of n components, a constant, around each place; n = 3 reads the byte that follows, too. Offsets
 * from `image` fit 32 bits. */
static inline __attribute__((always_inline)) void mix_bytes(const unsigned char *image, ptrdiff_t row_bytes,
                                                            const float *from_x, const float *from_y, float *const *out,
                                                            int count, const int n) {
    const int bytes = n == 3 ? 4 : n;
    const int32_t pitch = (int32_t)row_bytes;
    for (int begin = 0; begin < count; begin += MIX_BLOCK) {
        const int length = count - begin < MIX_BLOCK ? count - begin : MIX_BLOCK;
        int32_t offsets[MIX_BLOCK];
        float right[MIX_BLOCK], down[MIX_BLOCK];
        uint32_t a[MIX_BLOCK], b[MIX_BLOCK], c[MIX_BLOCK], d[MIX_BLOCK];
        VECTOR_LOOP
        for (int i = 0; i < length; i++) {
            const float x = from_x[begin + i], y = from_y[begin + i];
            const int32_t column = (int32_t)x, row = (int32_t)y;
            offsets[i] = row * pitch + column * n;
            right[i] = x - (float)column, down[i] = y - (float)row;
        }
        for (int i = 0; i < length; i++) {
            const unsigned char *above = image + offsets[i], *below = above + row_bytes;
            if (n <= 2) { /* both pixels at once */
                a[i] = read_bytes(above, 2 * bytes), c[i] = read_bytes(below, 2 * bytes);
                continue;
            }
            a[i] = read_bytes(above, bytes), b[i] = read_bytes(above + n, bytes);
            c[i] = read_bytes(below, bytes), d[i] = read_bytes(below + n, bytes);
        }
        for (int k = 0; k < n; k++) {
            float *to = out[k] + begin;
            VECTOR_LOOP
            for (int i = 0; i < length; i++) {
                const uint32_t second = n <= 2 ? a[i] >> 8 * n : b[i], fourth = n <= 2 ? c[i] >> 8 * n : d[i];
                to[i] = mix_levels((int32_t)(a[i] >> 8 * k & 255), (int32_t)(second >> 8 * k & 255),
                                   (int32_t)(c[i] >> 8 * k & 255), (int32_t)(fourth >> 8 * k & 255), right[i], down[i]);
            }
        }
    }
}

#endif
