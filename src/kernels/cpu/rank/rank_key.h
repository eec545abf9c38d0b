/* SPDX-License-Identifier: MIT
 * Floating point numbers as integers in the same order, any NaN last. Whole loops of it become vector code. */
#ifndef KERNELS_RANK_KEY_H
#define KERNELS_RANK_KEY_H
#include <stdint.h>
#include <string.h>

static inline int32_t rank_key(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
    return bits ^ ((bits >> 31) & 0x7fffffff);
}
/* All zeros become positive: where floats are compared as floats (rank_avx2.h), it is undefined which of two zeros comes first. */
static inline float rank_value(int32_t key) {
    float value;
    int32_t bits = key ^ ((key >> 31) & 0x7fffffff);
    memcpy(&value, &bits, sizeof value);
    return value + 0.0f;
}

#endif
