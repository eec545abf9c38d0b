/* SPDX-License-Identifier: MIT
 * What kernels/fixed.h promises, in 128 bits. */
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
/* The elements of a and b by turns: half of them, and the other half; narrow puts halves together again, limited. */
FIXED fixed_low(fixed a, fixed b) { return _mm_unpacklo_epi16(a, b); }
FIXED fixed_high(fixed a, fixed b) { return _mm_unpackhi_epi16(a, b); }
FIXED fixed_narrow(fixed low, fixed high) { return _mm_packs_epi32(low, high); }
/* Sums of two products each. */
FIXED fixed_multiply_add(fixed a, fixed weights) { return _mm_madd_epi16(a, weights); }
FIXED fixed_shift_32(fixed v, int count) { return _mm_sra_epi32(v, _mm_cvtsi32_si128(count)); }
FIXED fixed_all(int16_t v) { return _mm_set1_epi16(v); }
/* Of numbers without sign: the high half of the product, and a shift. */
FIXED fixed_multiply_high(fixed a, fixed b) { return _mm_mulhi_epu16(a, b); }
FIXED fixed_shift_unsigned(fixed v, int count) { return _mm_srl_epi16(v, _mm_cvtsi32_si128(count)); }
#undef FIXED
#undef FIXED_STORE

#endif
