/* SPDX-License-Identifier: MIT
 * Pixels of four bytes as words of 32 bits, red in the lowest: components are taken out and put in by shifts, of which
 * compilers make vectors as wide as they have, where bytes with a stride of four are a dozen shuffles. */
#ifndef KERNELS_PACKED_PIXELS_H
#define KERNELS_PACKED_PIXELS_H
#include <stdint.h>

typedef uint32_t word __attribute__((aligned(1), may_alias));

/* The largest and the least, hidden from compilers, which otherwise make masks of comparisons with them. */
#define PACKED_LIMITS                                                                                                  \
    float none = 0.0f, full = 255.0f;                                                                                  \
    __asm__("" : "+m"(none), "+m"(full));

/* Component k as a number to 1. */
static inline __attribute__((always_inline, unused)) float packed_part(uint32_t pixel, int k) {
    return (float)(int32_t)(pixel >> 8 * k & 255) * (1.0f / 255.0f);
}
/* A number as component k, to nearest; NaN is 0. */
static inline __attribute__((always_inline, unused)) uint32_t packed_component(float v, int k, float none, float full) {
    v = v > none ? v : none;
    v = v * full + 0.5f;
    return (uint32_t)(int32_t)(v < full ? v : full) << 8 * k;
}
#endif
