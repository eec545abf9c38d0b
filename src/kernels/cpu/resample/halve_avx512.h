/* SPDX-License-Identifier: MIT
 * Means of two by two pixels of 3 bytes where the processor has byte permutations (AVX-512 VBMI, which x86-64-v4 does
 * not promise): 20 pixels of the result at a time. */
#ifndef KERNELS_HALVE_AVX512_H
#define KERNELS_HALVE_AVX512_H
#include <immintrin.h>
#include <stdint.h>

#define VBMI __attribute__((target("avx512vbmi")))

/* Where the even pixels of 120 bytes lie in two vectors, 60 bytes apart; the odd ones are 3 bytes behind. */
static inline __m512i pixels_of_3(int from) {
    uint8_t place[64] = {0};
    for (int i = 0; i < 60; i++) {
        int byte = i / 3 * 6 + i % 3 + from;
        place[i] = (uint8_t)(byte < 60 ? byte : byte + 4);
    }
    return _mm512_loadu_si512(place);
}

/* Rounding up twice has added a step where the last bits say so. */
VBMI static inline __m512i means_of_3(const uint8_t *a, const uint8_t *b, __m512i even, __m512i odd) {
    __m512i a0 = _mm512_loadu_si512(a), a1 = _mm512_loadu_si512(a + 60);
    __m512i b0 = _mm512_loadu_si512(b), b1 = _mm512_loadu_si512(b + 60);
    __m512i p = _mm512_permutex2var_epi8(a0, even, a1), q = _mm512_permutex2var_epi8(a0, odd, a1);
    __m512i r = _mm512_permutex2var_epi8(b0, even, b1), s = _mm512_permutex2var_epi8(b0, odd, b1);
    __m512i above = _mm512_avg_epu8(p, q), below = _mm512_avg_epu8(r, s);
    __m512i differs = _mm512_or_si512(_mm512_xor_si512(p, q), _mm512_xor_si512(r, s));
    __m512i much = _mm512_and_si512(_mm512_and_si512(differs, _mm512_xor_si512(above, below)), _mm512_set1_epi8(1));
    return _mm512_sub_epi8(_mm512_avg_epu8(above, below), much);
}

/* As many of `count` components as whole steps make, which read no byte behind the pixels: returns how many. */
VBMI static inline int64_t halve_3(const uint8_t *a, const uint8_t *b, uint8_t *out, int64_t count) {
    __m512i even = pixels_of_3(0), odd = pixels_of_3(3);
    int64_t x = 0;
    for (; x + 64 <= count; x += 60)
        _mm512_storeu_si512(out + x, means_of_3(a + 2 * x, b + 2 * x, even, odd));
    return x;
}
#undef VBMI

#endif
