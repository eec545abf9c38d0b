/* SPDX-License-Identifier: MIT
 * Pixels of bytes mixed at places that lie inside an image: all components of a pixel are read at once, as 32 bits. Reading
 * each by itself, with an address for each of the four pixels, a turn of u8x3 took 4 times as long. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/warp/mix_levels.h"
#include "kernels/rows.h"

#define INLINE static inline __attribute__((always_inline))
#define BLOCK 64 /* pixels that are read before they are worked on */

static int warp_sort(const float *from_x, const float *from_y, const struct weft_warp_limits *limits, int32_t *kinds,
                     int count) {
    const struct weft_warp_limits l = *limits;
    int32_t all = WEFT_WARP_INSIDE | WEFT_WARP_OUTSIDE;
#pragma omp simd reduction(& : all)
    for (int i = 0; i < count; i++) {
        const float x = from_x[i], y = from_y[i];
        const int32_t inside = (x >= 0.0f) & (y >= 0.0f) & (x < l.right) & (y < l.bottom);
        const int32_t outside = (x <= -1.0f) | (y <= -1.0f) | (x >= l.width) | (y >= l.height);
        const int32_t kind = inside * WEFT_WARP_INSIDE + outside * WEFT_WARP_OUTSIDE;
        kinds[i] = kind;
        all &= kind;
    }
    return all;
}

INLINE uint32_t read_bytes(const unsigned char *at, const int bytes) {
    uint32_t v = 0;
    memcpy(&v, at, (size_t)bytes);
    return v;
}

/* Pixels of n components, a constant; n = 3 reads the byte that follows, too. */
INLINE void mix_bytes(const unsigned char *image, ptrdiff_t row_bytes, const float *from_x, const float *from_y,
                      float *const *out, int count, const int n) {
    const int bytes = n == 3 ? 4 : n;
    const int32_t pitch = (int32_t)row_bytes;
    for (int begin = 0; begin < count; begin += BLOCK) {
        const int length = count - begin < BLOCK ? count - begin : BLOCK;
        int32_t offsets[BLOCK];
        float right[BLOCK], down[BLOCK];
        uint32_t a[BLOCK], b[BLOCK], c[BLOCK], d[BLOCK];
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

#define OF(n)                                                                                                          \
    static void mix_bytes_##n(const unsigned char *image, ptrdiff_t row_bytes, const float *from_x, const float *from_y, \
                              float *const *out, int count) {                                                          \
        mix_bytes(image, row_bytes, from_x, from_y, out, count, n);                                                    \
    }
OF(1)
OF(2)
OF(3)
OF(4)
#undef OF

void KERNEL(weft_fill_warp_bytes)(struct weft_kernels *kernels);
void KERNEL(weft_fill_warp_bytes)(struct weft_kernels *kernels) {
    kernels->warp_sort = warp_sort;
    kernels->warp_mix_bytes[1] = mix_bytes_1, kernels->warp_mix_bytes[2] = mix_bytes_2;
    kernels->warp_mix_bytes[3] = mix_bytes_3, kernels->warp_mix_bytes[4] = mix_bytes_4;
}
