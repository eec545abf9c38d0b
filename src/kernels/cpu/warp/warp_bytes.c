/* SPDX-License-Identifier: MIT
 * Pixels of bytes mixed at places that lie inside an image, and which places do. */
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/mix_bytes.h"

static int warp_sort(const float *from_x, const float *from_y, const struct weft_warp_limits *limits, int32_t *kinds,
                     int count) {
    const struct weft_warp_limits l = *limits;
    int32_t all = WEFT_WARP_INSIDE | WEFT_WARP_OUTSIDE;
#pragma omp simd reduction(& : all)
    for (int i = 0; i < count; i++) {
        const float x = from_x[i], y = from_y[i];
        const int32_t inside = (x >= l.first) & (y >= l.first) & (x < l.right) & (y < l.bottom);
        const int32_t outside = (x <= l.before) | (y <= l.before) | (x >= l.width) | (y >= l.height);
        const int32_t kind = inside * WEFT_WARP_INSIDE + outside * WEFT_WARP_OUTSIDE;
        kinds[i] = kind;
        all &= kind;
    }
    return all;
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
