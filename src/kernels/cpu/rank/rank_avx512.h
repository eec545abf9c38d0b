/* SPDX-License-Identifier: MIT
 * Medians of 3 x 3 where the processor has byte permutations (AVX-512 VBMI, which x86-64-v4 does not promise): sorted columns stay
 * in registers, and their neighbors are permuted out of two vectors, where rank_type.h writes all of them to memory and reads them
 * three times. */
#ifndef KERNELS_RANK_AVX512_H
#define KERNELS_RANK_AVX512_H
#include <immintrin.h>
#include <stdint.h>
#include "kernels/cpu/isa/vector.h"

#define VBMI __attribute__((target("avx512vbmi")))
#define RANK_INLINE VBMI static inline __attribute__((always_inline))
#define RANK_KEY_INLINE static inline __attribute__((always_inline))

/* The 64 bytes from `place` (64 numbers that grow by one) on of two vectors that follow one another. */
#define RANK_AT(columns, k) _mm512_permutex2var_epi8((columns)[0].k, place, (columns)[1].k)

struct rank_columns {
    __m512i low, middle, high;
};

/* first, first + 1, .. */
RANK_INLINE __m512i rank_bytes_from(int64_t first) {
    const __m512i from_0 = _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
                                            0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    return _mm512_add_epi8(from_0, _mm512_set1_epi8((char)first));
}

/* A mask of the first n bytes; n may be negative or larger than a vector. */
RANK_INLINE __mmask64 rank_mask(int64_t n) { return n >= 64 ? ~(__mmask64)0 : n <= 0 ? 0 : ((__mmask64)1 << n) - 1; }

/* LEAST and MOST of two vectors, KEY and VALUE between bits and integers in the same order. Masked-out elements are not read, and
 * no result depends on them. */
#define RANK_MEDIANS(T, LEAST, MOST, KEY, VALUE)                                                                       \
    RANK_INLINE struct rank_columns T##_columns(const char *const *rows, int64_t at, __mmask64 mask) {                 \
        __m512i a = KEY(_mm512_maskz_loadu_epi8(mask, rows[0] + at));                                                  \
        __m512i b = KEY(_mm512_maskz_loadu_epi8(mask, rows[1] + at));                                                  \
        __m512i c = KEY(_mm512_maskz_loadu_epi8(mask, rows[2] + at));                                                  \
        __m512i first = LEAST(a, b), second = MOST(a, b), rest = LEAST(second, c);                                     \
        return (struct rank_columns){LEAST(first, rest), MOST(first, rest), MOST(second, c)};                          \
    }                                                                                                                  \
    RANK_INLINE __m512i T##_middles(const struct rank_columns *columns, __m512i next, __m512i after) {                 \
        __m512i place = next;                                                                                          \
        __m512i low = MOST(columns->low, RANK_AT(columns, low)), b = columns->middle, c = RANK_AT(columns, middle);    \
        __m512i high = LEAST(columns->high, RANK_AT(columns, high));                                                   \
        place = after;                                                                                                 \
        low = MOST(low, RANK_AT(columns, low)), high = LEAST(high, RANK_AT(columns, high));                            \
        __m512i middle = MOST(LEAST(b, c), LEAST(MOST(b, c), RANK_AT(columns, middle)));                               \
        return VALUE(MOST(LEAST(low, middle), LEAST(MOST(low, middle), high)));                                        \
    }                                                                                                                  \
    /* `count` elements; those of a pixel lie `apart` from the next one's, at most 32 bytes. */                        \
    VBMI static void T##_medians(const void *const *rows, int64_t apart, void *out, int64_t count) {                   \
        int64_t step = apart * (int64_t)sizeof(T), bytes = count * (int64_t)sizeof(T), all = bytes + 2 * step, x = 0;  \
        const char *in[3] = {(const char *)rows[0] - step, (const char *)rows[1] - step,                               \
                             (const char *)rows[2] - step};                                                            \
        __m512i next = rank_bytes_from(step), after = rank_bytes_from(2 * step);                                       \
        struct rank_columns columns[2];                                                                                \
        columns[0] = T##_columns(in, 0, rank_mask(all));                                                               \
        for (; x + 128 <= all && x + 64 <= bytes; x += 64) {                                                           \
            columns[1] = T##_columns(in, x + 64, ~(__mmask64)0);                                                       \
            prefetch(in[2] + x + 64); /* this row is read for the first time */                                        \
            _mm512_storeu_si512((char *)out + x, T##_middles(columns, next, after));                                   \
            columns[0] = columns[1];                                                                                   \
        }                                                                                                              \
        for (; x < bytes; x += 64) {                                                                                   \
            columns[1] = T##_columns(in, x + 64, rank_mask(all - x - 64));                                             \
            _mm512_mask_storeu_epi8((char *)out + x, rank_mask(bytes - x), T##_middles(columns, next, after));         \
            columns[0] = columns[1];                                                                                   \
        }                                                                                                              \
    }
#define SAME_BITS(v) (v)
RANK_MEDIANS(uint8_t, _mm512_min_epu8, _mm512_max_epu8, SAME_BITS, SAME_BITS)
RANK_MEDIANS(uint16_t, _mm512_min_epu16, _mm512_max_epu16, SAME_BITS, SAME_BITS)
#undef SAME_BITS

/* rank_key.h of 16 numbers. */
RANK_KEY_INLINE __m512i rank_flip(__m512i bits) {
    return _mm512_xor_si512(bits, _mm512_and_si512(_mm512_srai_epi32(bits, 31), _mm512_set1_epi32(0x7fffffff)));
}
RANK_KEY_INLINE __m512i rank_keys(__m512i bits) {
    __mmask16 none = _mm512_cmp_ps_mask(_mm512_castsi512_ps(bits), _mm512_castsi512_ps(bits), _CMP_UNORD_Q);
    return _mm512_mask_mov_epi32(rank_flip(bits), none, _mm512_set1_epi32(0x7fc00000));
}
RANK_KEY_INLINE __m512i rank_values(__m512i keys) {
    return _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(rank_flip(keys)), _mm512_setzero_ps()));
}
RANK_MEDIANS(float, _mm512_min_epi32, _mm512_max_epi32, rank_keys, rank_values)
#undef VBMI

#endif
