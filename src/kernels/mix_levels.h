/* SPDX-License-Identifier: MIT
 * The mean of four bytes by the shares of those to the right and below, to [0, 1]: one formula for all kernels, so that they give
 * the same results. */
#ifndef KERNELS_MIX_LEVELS_H
#define KERNELS_MIX_LEVELS_H
#include <stdint.h>

static inline __attribute__((always_inline)) float mix_levels(int32_t a, int32_t b, int32_t c, int32_t d, float right,
                                                              float down) {
    const float top = (float)a + (float)(b - a) * right, bottom = (float)c + (float)(d - c) * right;
    return (top + (bottom - top) * down) * (1.0f / 255.0f);
}

#endif
