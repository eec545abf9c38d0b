/* SPDX-License-Identifier: MIT
 * Pixels of four bytes laid over others in whole numbers of 16 bits, in 512 bits. */
#ifndef KERNELS_PACKED_PIXELS_AVX512_H
#define KERNELS_PACKED_PIXELS_AVX512_H
#include <immintrin.h>
#include <stdint.h>

#define PACKED_INLINE static inline __attribute__((always_inline, unused))

/* Sources over backdrops, 16 pixels. The result's color is backdrop + t (source - backdrop) with t = source alpha / alpha, where
 * source alpha = as * opacity and alpha = source alpha + ab (1 - source alpha). 32768 t is an integer; a rounding multiplication
 * (pmulhrsw) multiplies the difference of colors by it, with an error of at most 255 / 65536 = 0.004 steps before rounding. -t is
 * used, since t = 1 would not fit 16 bits. The inverse of alpha has 14 bits, and 28 after one step of Newton's. */
PACKED_INLINE __m512i packed_over(__m512i backdrop, __m512i source, __m512 opacity) {
    const __m512 full = _mm512_set1_ps(255.0f);
    const __m512i both = _mm512_set4_epi32(0x0d0c0d0c, 0x09080908, 0x05040504, 0x01000100);
    const __m512i even = _mm512_set1_epi32(0x00ff00ff);
    __m512i b_odd = _mm512_srli_epi16(backdrop, 8), s_odd = _mm512_srli_epi16(source, 8);
    __m512 ab = _mm512_cvtepi32_ps(_mm512_srli_epi32(backdrop, 24));
    __m512 as = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(source, 24)), opacity);
    /* 255 times the alpha in steps. */
    __m512 alpha = _mm512_fmadd_ps(as, _mm512_sub_ps(full, ab), _mm512_mul_ps(ab, full));
    __mmask16 some = _mm512_cmp_ps_mask(alpha, _mm512_set1_ps(0x1p-126f), _CMP_GE_OQ);
    __m512 inverse = _mm512_rcp14_ps(alpha), part = _mm512_mul_ps(as, _mm512_set1_ps(-255.0f * 32768.0f));
    inverse = _mm512_mul_ps(inverse, _mm512_fnmadd_ps(alpha, inverse, _mm512_set1_ps(2.0f)));
    __m512i t = _mm512_shuffle_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(part, inverse)), both);
    __m512i b_even = _mm512_and_si512(backdrop, even), s_even = _mm512_and_si512(source, even);
    __m512i evens = _mm512_sub_epi16(b_even, _mm512_mulhrs_epi16(_mm512_sub_epi16(s_even, b_even), t));
    __m512i odds = _mm512_sub_epi16(b_odd, _mm512_mulhrs_epi16(_mm512_sub_epi16(s_odd, b_odd), t));
    __m512i colors = _mm512_or_si512(evens, _mm512_slli_epi16(odds, 8));
    __m512i alphas = _mm512_slli_epi32(_mm512_cvtps_epi32(_mm512_mul_ps(alpha, _mm512_set1_ps(1.0f / 255.0f))), 24);
    /* Bits of the colors where the mask has them, of the alphas elsewhere. */
    return _mm512_maskz_ternarylogic_epi32(some, _mm512_set1_epi32(0x00ffffff), colors, alphas, 0xca);
}

PACKED_INLINE void packed_lay_over(const void *backdrops, const void *sources, void *results, int count, float opacity) {
    const char *b = backdrops, *s = sources;
    const __m512 scale = _mm512_set1_ps(opacity);
    char *out = results;
    int i = 0;
    for (; i + 16 <= count; i += 16)
        _mm512_storeu_si512(out + 4 * i,
                            packed_over(_mm512_loadu_si512(b + 4 * i), _mm512_loadu_si512(s + 4 * i), scale));
    if (i < count) {
        __mmask16 rest = (__mmask16)((1u << (count - i)) - 1);
        _mm512_mask_storeu_epi32(out + 4 * i, rest,
                                 packed_over(_mm512_maskz_loadu_epi32(rest, b + 4 * i),
                                            _mm512_maskz_loadu_epi32(rest, s + 4 * i), scale));
    }
}
#undef PACKED_INLINE
#endif
