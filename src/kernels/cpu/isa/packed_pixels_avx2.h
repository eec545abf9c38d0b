/* SPDX-License-Identifier: MIT
 * Pixels of four bytes laid over others in whole numbers of 16 bits, in 256 bits. */
#ifndef KERNELS_PACKED_PIXELS_AVX2_H
#define KERNELS_PACKED_PIXELS_AVX2_H
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define PACKED_INLINE static inline __attribute__((always_inline, unused))

/* Sources over backdrops, 8 pixels, as packed_pixels_avx512.h has it of 16; the inverse of alpha has 11 bits, and 22 after one step
 * of Newton's. */
PACKED_INLINE __m256i packed_over(__m256i backdrop, __m256i source, __m256 opacity) {
    const __m256 full = _mm256_set1_ps(255.0f);
    const __m256i both = _mm256_set_epi32(0x0d0c0d0c, 0x09080908, 0x05040504, 0x01000100, 0x0d0c0d0c, 0x09080908, 0x05040504,
                                          0x01000100);
    const __m256i even = _mm256_set1_epi32(0x00ff00ff), color = _mm256_set1_epi32(0x00ffffff);
    __m256i b_odd = _mm256_srli_epi16(backdrop, 8), s_odd = _mm256_srli_epi16(source, 8);
    __m256 ab = _mm256_cvtepi32_ps(_mm256_srli_epi32(backdrop, 24));
    __m256 as = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(source, 24)), opacity);
    /* 255 times the alpha in steps. */
    __m256 alpha = _mm256_fmadd_ps(as, _mm256_sub_ps(full, ab), _mm256_mul_ps(ab, full));
    __m256 some = _mm256_cmp_ps(alpha, _mm256_set1_ps(0x1p-126f), _CMP_GE_OQ);
    __m256 inverse = _mm256_rcp_ps(alpha), part = _mm256_mul_ps(as, _mm256_set1_ps(-255.0f * 32768.0f));
    inverse = _mm256_mul_ps(inverse, _mm256_fnmadd_ps(alpha, inverse, _mm256_set1_ps(2.0f)));
    __m256i t = _mm256_shuffle_epi8(_mm256_cvtps_epi32(_mm256_mul_ps(part, inverse)), both);
    __m256i b_even = _mm256_and_si256(backdrop, even), s_even = _mm256_and_si256(source, even);
    __m256i evens = _mm256_sub_epi16(b_even, _mm256_mulhrs_epi16(_mm256_sub_epi16(s_even, b_even), t));
    __m256i odds = _mm256_sub_epi16(b_odd, _mm256_mulhrs_epi16(_mm256_sub_epi16(s_odd, b_odd), t));
    __m256i colors = _mm256_and_si256(_mm256_or_si256(evens, _mm256_slli_epi16(odds, 8)), color);
    __m256i alphas = _mm256_slli_epi32(_mm256_cvtps_epi32(_mm256_mul_ps(alpha, _mm256_set1_ps(1.0f / 255.0f))), 24);
    return _mm256_and_si256(_mm256_or_si256(colors, alphas), _mm256_castps_si256(some));
}

PACKED_INLINE void packed_lay_over(const void *backdrops, const void *sources, void *results, int count, float opacity) {
    const char *b = backdrops, *s = sources;
    const __m256 scale = _mm256_set1_ps(opacity);
    char *out = results;
    for (int i = 0; i < count; i += 8) {
        size_t bytes = 4 * (size_t)(count - i < 8 ? count - i : 8);
        __m256i under = _mm256_setzero_si256(), over = _mm256_setzero_si256(), made;
        if (bytes == sizeof under) {
            under = _mm256_loadu_si256((const __m256i *)(const void *)(b + 4 * i));
            over = _mm256_loadu_si256((const __m256i *)(const void *)(s + 4 * i));
            _mm256_storeu_si256((__m256i *)(void *)(out + 4 * i), packed_over(under, over, scale));
            continue;
        }
        memcpy(&under, b + 4 * i, bytes);
        memcpy(&over, s + 4 * i, bytes);
        made = packed_over(under, over, scale);
        memcpy(out + 4 * i, &made, bytes);
    }
}
#undef PACKED_INLINE
#endif
