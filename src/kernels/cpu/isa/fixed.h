/* SPDX-License-Identifier: MIT
 * Vectors of 16-bit numbers whose products are added up in 32 bits, two at a time, as wide as the instruction set's
 * registers. Without such vectors FIXED_LANES is not defined and the plain loops beside the blocks do all the work. */
#ifndef KERNELS_FIXED_H
#define KERNELS_FIXED_H
#include <stdint.h>
#include <string.h>

#define FIXED_INLINE static inline __attribute__((always_inline, unused))

#if defined(__AVX512BW__)
#include "kernels/cpu/isa/fixed_avx512.h"
#elif defined(__AVX2__)
#include "kernels/cpu/isa/fixed_avx2.h"
#elif defined(__SSE4_1__)
#include "kernels/cpu/isa/fixed_sse4.h"
#endif

/* Weights k and k + 1 of a list, as fixed_multiply_add takes them. */
static inline __attribute__((unused)) int32_t fixed_two(const int16_t *weights, int k) {
    int32_t two;
    memcpy(&two, weights + k, sizeof two);
    return two;
}

/* Clamp a value whose 0 stands for 128 steps: to 16 bits, and to a pixel of 8 bits. */
FIXED_INLINE int16_t fixed_limit_s16(int32_t v) { return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v); }
FIXED_INLINE uint8_t fixed_limit_u8(int32_t v) { return (uint8_t)(v < -128 ? 0 : v > 127 ? 255 : v + 128); }

#ifdef FIXED_LANES
/* Two weights of 8 bits, repeated. */
FIXED_INLINE fixed fixed_two_bytes(const int8_t *weights) {
    int16_t two;
    memcpy(&two, weights, sizeof two);
    return fixed_all(two);
}

/* The sums of two vectors: of each the low and the high half. */
struct fixed_sums {
    fixed low[2], high[2];
};
FIXED_INLINE void fixed_add_products(struct fixed_sums *s, int i, fixed a, fixed b, fixed weights) {
    s->low[i] = fixed_add_32(s->low[i], fixed_multiply_add(fixed_low(a, b), weights));
    s->high[i] = fixed_add_32(s->high[i], fixed_multiply_add(fixed_high(a, b), weights));
}
FIXED_INLINE fixed fixed_finish(const struct fixed_sums *s, int i, int shift) {
    return fixed_narrow(fixed_shift_32(s->low[i], shift), fixed_shift_32(s->high[i], shift));
}
#endif

#endif
