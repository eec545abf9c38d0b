/* SPDX-License-Identifier: MIT
 * Pixels of u8 in groups of 8, as 256 bits have them: their components as 32-bit numbers, and such numbers as pixels. */
#ifndef KERNELS_PIXELS_AVX2_H
#define KERNELS_PIXELS_AVX2_H
#include <immintrin.h>
#include <stdint.h>

#define PIXELS_INLINE static inline __attribute__((always_inline, unused))
#define PIXELS_GROUP 8
#define PIXELS_BEYOND 2 /* pixels that must follow those of groups: vectors of three components reach as far */
#define PIXELS_TARGET
typedef __m256i pixels_vector;

/* Both halves of a vector, 12 bytes apart in memory. */
PIXELS_INLINE __m256i pixels_halves(const uint8_t *in, int apart) {
    __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)in));
    return _mm256_inserti128_si256(low, _mm_loadu_si128((const __m128i *)(const void *)(in + apart)), 1);
}

/* 8 pixels of n components; those of three lie as they do in memory, four to a half. */
PIXELS_INLINE __m256i pixels_load(const uint8_t *in, const int n) {
    if (n == 1)
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)in));
    if (n == 2)
        return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)in));
    return n == 3 ? pixels_halves(in, 12) : _mm256_loadu_si256((const __m256i *)(const void *)in);
}

/* Component k of them. */
PIXELS_INLINE __m256i pixels_component(__m256i pixels, const int n, const int k) {
    if (n == 3) {
        const __m256i none = _mm256_set1_epi32((int)0x80808000), first = _mm256_set_epi32(9, 6, 3, 0, 9, 6, 3, 0);
        return _mm256_shuffle_epi8(pixels, _mm256_or_si256(none, _mm256_add_epi32(first, _mm256_set1_epi32(k))));
    }
    if (k + 1 < n)
        return _mm256_and_si256(_mm256_srli_epi32(pixels, 8 * k), _mm256_set1_epi32(255));
    return _mm256_srli_epi32(pixels, 8 * k); /* nothing lies above */
}

/* Four groups, the components of a pixel one above the other in 32 bits. Of three components a half is 16 bytes, of which the next
 * half overwrites the last four; behind the last one nothing is written. */
PIXELS_INLINE void pixels_store(uint8_t *out, const __m256i *v, const int n) {
    if (n <= 2) {
        __m256i a = n == 1 ? _mm256_packs_epi32(v[0], v[1]) : _mm256_packus_epi32(v[0], v[1]);
        __m256i b = n == 1 ? _mm256_packs_epi32(v[2], v[3]) : _mm256_packus_epi32(v[2], v[3]);
        if (n == 1) {
            const __m256i order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0);
            a = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b), order);
            _mm256_storeu_si256((__m256i *)(void *)out, a);
        } else {
            _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permute4x64_epi64(a, 0xd8));
            _mm256_storeu_si256((__m256i *)(void *)(out + 32), _mm256_permute4x64_epi64(b, 0xd8));
        }
        return;
    }
    for (int k = 0; k < 4; k++) {
        if (n == 4) {
            _mm256_storeu_si256((__m256i *)(void *)(out + 32 * k), v[k]);
            continue;
        }
        const __m256i threes = _mm256_broadcastsi128_si256(
            _mm_set_epi8(-1, -1, -1, -1, 14, 13, 12, 10, 9, 8, 6, 5, 4, 2, 1, 0));
        __m256i packed = _mm256_shuffle_epi8(v[k], threes);
        _mm_storeu_si128((__m128i *)(void *)(out + 24 * k), _mm256_castsi256_si128(packed));
        __m128i high = _mm256_extracti128_si256(packed, 1);
        uint8_t *last = out + 24 * k + 12;
        if (k < 3) {
            _mm_storeu_si128((__m128i *)(void *)last, high);
        } else {
            _mm_storel_epi64((__m128i *)(void *)last, high);
            _mm_storeu_si32(last + 8, _mm_srli_si128(high, 8));
        }
    }
}

#endif
