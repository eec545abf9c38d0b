/* SPDX-License-Identifier: MIT
 * What kernels/fixed.h promises, in 512 bits. */
#ifndef KERNELS_FIXED_AVX512_H
#define KERNELS_FIXED_AVX512_H
#include <immintrin.h>
#include <stdint.h>

#define FIXED_LANES 32
typedef __m512i fixed;
#define FIXED static inline __attribute__((always_inline, unused)) fixed
#define FIXED_STORE static inline __attribute__((always_inline, unused)) void

FIXED fixed_zero(void) { return _mm512_setzero_si512(); }
FIXED fixed_load_u8(const uint8_t *from) { return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)from)); }
FIXED fixed_load(const int16_t *from) { return _mm512_loadu_si512(from); }
FIXED_STORE fixed_store(int16_t *to, fixed v) { _mm512_storeu_si512(to, v); }
/* From -128 .. 127, limited, to 0 .. 255. */
FIXED_STORE fixed_store_u8(uint8_t *to, fixed v) {
    _mm256_storeu_si256((void *)to, _mm256_xor_si256(_mm512_cvtsepi16_epi8(v), _mm256_set1_epi8(-128)));
}
FIXED fixed_add(fixed a, fixed b) { return _mm512_add_epi16(a, b); }
FIXED fixed_add_32(fixed a, fixed b) { return _mm512_add_epi32(a, b); }
FIXED fixed_all_32(int32_t v) { return _mm512_set1_epi32(v); }
/* The elements of a and b by turns: half of them, and the other half; narrow puts halves together again, limited. */
FIXED fixed_low(fixed a, fixed b) { return _mm512_unpacklo_epi16(a, b); }
FIXED fixed_high(fixed a, fixed b) { return _mm512_unpackhi_epi16(a, b); }
FIXED fixed_narrow(fixed low, fixed high) { return _mm512_packs_epi32(low, high); }
/* Sums of two products each. */
FIXED fixed_multiply_add(fixed a, fixed weights) { return _mm512_madd_epi16(a, weights); }
FIXED fixed_shift_32(fixed v, int count) { return _mm512_sra_epi32(v, _mm_cvtsi32_si128(count)); }
FIXED fixed_all(int16_t v) { return _mm512_set1_epi16(v); }
/* Of numbers without sign: the high half of the product, and a shift. */
FIXED fixed_multiply_high(fixed a, fixed b) { return _mm512_mulhi_epu16(a, b); }
FIXED fixed_shift_unsigned(fixed v, int count) { return _mm512_srl_epi16(v, _mm_cvtsi32_si128(count)); }
#undef FIXED
#undef FIXED_STORE

#endif
