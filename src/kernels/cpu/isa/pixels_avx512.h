/* SPDX-License-Identifier: MIT
 * Pixels of u8 in groups of 16, as 512 bits have them: their components as 32-bit numbers, and such numbers as pixels. Bytes of
 * pixels of three components are permuted by VBMI, which the caller has checked for. */
#ifndef KERNELS_PIXELS_AVX512_H
#define KERNELS_PIXELS_AVX512_H
#include <immintrin.h>
#include <stdint.h>

#define VBMI __attribute__((target("avx512vbmi")))
#define PIXELS_INLINE VBMI static inline __attribute__((always_inline, unused))
#define PIXELS_GROUP 16
#define PIXELS_BEYOND 0 /* pixels that must follow those of groups: none */
#define PIXELS_TARGET VBMI
typedef __m512i pixels_vector;

/* 16 pixels of n components. */
PIXELS_INLINE __m512i pixels_load(const uint8_t *in, const int n) {
    if (n == 1)
        return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)in));
    if (n == 2)
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)in));
    return n == 3 ? _mm512_maskz_loadu_epi8(0xffffffffffff, in) : _mm512_loadu_si512(in);
}

/* Component k of them. */
PIXELS_INLINE __m512i pixels_component(__m512i pixels, const int n, const int k) {
    if (n == 3) {
        const __m512i first = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45);
        const __m512i place = _mm512_add_epi32(first, _mm512_set1_epi32(k));
        return _mm512_maskz_permutexvar_epi8(0x1111111111111111, place, pixels);
    }
    if (k + 1 < n)
        return _mm512_and_si512(_mm512_srli_epi32(pixels, 8 * k), _mm512_set1_epi32(255));
    return _mm512_srli_epi32(pixels, 8 * k); /* nothing lies above */
}

/* Where byte i of pixels of three lies among pixels of four. The vector that begins with byte 64 k needs those of pixel
 * 16 k on, which begin with byte 48 k: the same places from 16 k on. */
#define PIXEL(p) 4 * (p), 4 * (p) + 1, 4 * (p) + 2
#define PIXELS(p) PIXEL(p), PIXEL((p) + 1), PIXEL((p) + 2), PIXEL((p) + 3)
static const uint8_t pixels_threes[96] = {PIXELS(0),  PIXELS(4),  PIXELS(8),  PIXELS(12),
                                          PIXELS(16), PIXELS(20), PIXELS(24), PIXELS(28)};

/* Four groups, the components of a pixel one above the other in 32 bits. */
PIXELS_INLINE void pixels_store(uint8_t *out, const __m512i *v, const int n) {
    for (int k = 0; k < 3 && n == 3; k++)
        _mm512_storeu_si512(out + 64 * k, _mm512_permutex2var_epi8(
                                              v[k], _mm512_loadu_si512(pixels_threes + 16 * k), v[k + 1]));
    for (int k = 0; k < 4; k++) {
        uint8_t *to = out + k * PIXELS_GROUP * n;
        if (n == 1)
            _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8(v[k]));
        else if (n == 2)
            _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(v[k]));
        else if (n == 4)
            _mm512_storeu_si512(to, v[k]);
    }
}

#endif
