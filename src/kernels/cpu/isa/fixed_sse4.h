/* SPDX-License-Identifier: MIT
 * What kernels/cpu/isa/fixed.h promises, in 128 bits. */
#ifndef KERNELS_FIXED_SSE4_H
#define KERNELS_FIXED_SSE4_H
#include <immintrin.h>
#include <stdint.h>

#define FIXED_LANES 8
typedef __m128i fixed;
#define FIXED static inline __attribute__((always_inline, unused)) fixed
#define FIXED_STORE static inline __attribute__((always_inline, unused)) void

FIXED fixed_zero(void) { return _mm_setzero_si128(); }
FIXED fixed_load_u8(const uint8_t *from) { return _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)from)); }
FIXED fixed_load(const int16_t *from) { return _mm_loadu_si128((const void *)from); }
FIXED_STORE fixed_store(int16_t *to, fixed v) { _mm_storeu_si128((void *)to, v); }
/* From -128 .. 127, limited, to 0 .. 255. */
FIXED_STORE fixed_store_u8(uint8_t *to, fixed v) {
    _mm_storel_epi64((void *)to, _mm_xor_si128(_mm_packs_epi16(v, v), _mm_set1_epi8(-128)));
}
FIXED fixed_add(fixed a, fixed b) { return _mm_add_epi16(a, b); }
FIXED fixed_add_32(fixed a, fixed b) { return _mm_add_epi32(a, b); }
FIXED fixed_all_32(int32_t v) { return _mm_set1_epi32(v); }
/* The elements of a and b interleaved: the first half of the result, and the second; narrow packs both halves again, with
 * saturation. */
FIXED fixed_low(fixed a, fixed b) { return _mm_unpacklo_epi16(a, b); }
FIXED fixed_high(fixed a, fixed b) { return _mm_unpackhi_epi16(a, b); }
FIXED fixed_narrow(fixed low, fixed high) { return _mm_packs_epi32(low, high); }
/* Sums of two products each. */
FIXED fixed_multiply_add(fixed a, fixed weights) { return _mm_madd_epi16(a, weights); }
FIXED fixed_shift_32(fixed v, int count) { return _mm_sra_epi32(v, _mm_cvtsi32_si128(count)); }
FIXED fixed_all(int16_t v) { return _mm_set1_epi16(v); }
/* Bytes, as many as the elements of two vectors: a and b interleaved, each two of them times 8-bit weights summed; and elements in
 * that order as bytes again, as fixed_store_u8 has them. */
FIXED fixed_load_bytes(const uint8_t *from) { return _mm_loadu_si128((const void *)from); }
FIXED fixed_low_bytes(fixed a, fixed b) { return _mm_unpacklo_epi8(a, b); }
FIXED fixed_high_bytes(fixed a, fixed b) { return _mm_unpackhi_epi8(a, b); }
FIXED fixed_multiply_bytes(fixed a, fixed weights) { return _mm_maddubs_epi16(a, weights); }
FIXED_STORE fixed_store_bytes(uint8_t *to, fixed low, fixed high) {
    _mm_storeu_si128((void *)to, _mm_xor_si128(_mm_packs_epi16(low, high), _mm_set1_epi8(-128)));
}
/* factor * sqrt(v) - 128 as whole numbers, halves going up; v is not below 0. */
FIXED fixed_roots(fixed v, float factor) {
    __m128 root = _mm_sqrt_ps(_mm_cvtepi32_ps(v));
    root = _mm_add_ps(_mm_mul_ps(root, _mm_set1_ps(factor)), _mm_set1_ps(0.5f));
    return _mm_sub_epi32(_mm_cvttps_epi32(root), _mm_set1_epi32(128));
}
/* The same for the length of x and y, which single precision can hold: from 0 on, below 2^31. */
FIXED fixed_lengths(fixed x, fixed y, float factor) {
    __m128 of_x = _mm_cvtepi32_ps(x), of_y = _mm_cvtepi32_ps(y);
    __m128 root = _mm_sqrt_ps(_mm_add_ps(_mm_mul_ps(of_x, of_x), _mm_mul_ps(of_y, of_y)));
    return _mm_cvtps_epi32(_mm_mul_ps(root, _mm_set1_ps(factor)));
}
FIXED fixed_narrow_unsigned(fixed low, fixed high) { return _mm_packus_epi32(low, high); }
/* For unsigned numbers: the high half of the product, and a right shift. */
FIXED fixed_multiply_high(fixed a, fixed b) { return _mm_mulhi_epu16(a, b); }
FIXED fixed_shift_unsigned(fixed v, int count) { return _mm_srl_epi16(v, _mm_cvtsi32_si128(count)); }
#undef FIXED
#undef FIXED_STORE

#endif
