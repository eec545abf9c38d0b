/* SPDX-License-Identifier: MIT
 * Vectors of 16-bit numbers whose products are added up in 32 bits, two at a time, as wide as the instruction set's
 * registers. Without such vectors FIXED_LANES is not defined and the plain loops beside the blocks do all the work. */
#ifndef KERNELS_FIXED_H
#define KERNELS_FIXED_H
#include <stdint.h>
#include <string.h>

#if defined(__AVX512BW__)
#include "kernels/fixed_avx512.h"
#elif defined(__AVX2__)
#include "kernels/fixed_avx2.h"
#elif defined(__SSE4_1__)
#include "kernels/fixed_sse4.h"
#endif

/* Weights k and k + 1 of a list, as fixed_multiply_add takes them. */
static inline __attribute__((unused)) int32_t fixed_two(const int16_t *weights, int k) {
    int32_t two;
    memcpy(&two, weights + k, sizeof two);
    return two;
}

#endif
