/* SPDX-License-Identifier: MIT
 * Medians of 3 x 3 by vectors of 32 bytes: sorted columns stay in registers, and their neighbors are shifted out of two vectors,
 * where rank_type.h writes all of them to memory and reads them three times. */
#ifndef KERNELS_RANK_AVX2_H
#define KERNELS_RANK_AVX2_H
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include "kernels/cpu/isa/vector.h"

#define RANK_INLINE static inline __attribute__((always_inline))

struct rank_columns {
    __m256i low, middle, high;
};

/* The 32 bytes from byte n on of a vector, `between` being its upper half and the lower one of the next; n is a constant. */
#define RANK_FROM(v, between, n) _mm256_alignr_epi8(between, v, n)
#define RANK_BETWEEN(k) _mm256_permute2x128_si256(columns[0].k, columns[1].k, 0x21)

/* LEAST and MOST of two vectors, KEY and VALUE between bits and integers in the same order. T_medians_step does elements of which
 * those of a pixel lie `step` bytes from the next one's, at most 8, up to where STOP says that the vectors from byte `at` of the
 * rows on are not for it; it returns how many it made, whole vectors of them. */
#define RANK_COLUMNS(T, LEAST, MOST, KEY)                                                                              \
    RANK_INLINE struct rank_columns T##_columns(const char *const *rows, int64_t at) {                                 \
        __m256i a = KEY(_mm256_loadu_si256((const __m256i *)(const void *)(rows[0] + at)));                            \
        __m256i b = KEY(_mm256_loadu_si256((const __m256i *)(const void *)(rows[1] + at)));                            \
        __m256i c = KEY(_mm256_loadu_si256((const __m256i *)(const void *)(rows[2] + at)));                            \
        __m256i first = LEAST(a, b), second = MOST(a, b), rest = LEAST(second, c);                                     \
        return (struct rank_columns){LEAST(first, rest), MOST(first, rest), MOST(second, c)};                          \
    }
#define RANK_STEP(T, step, LEAST, MOST, VALUE, STOP)                                                                   \
    static int64_t T##_medians_##step(const void *const *rows, void *out, int64_t count) {                             \
        int64_t all = count * (int64_t)sizeof(T) + 2 * step, x = 0;                                                    \
        const char *in[3] = {(const char *)rows[0] - step, (const char *)rows[1] - step, (const char *)rows[2] - step};\
        struct rank_columns columns[2];                                                                                \
        if (all < 64 || STOP(in, 0))                                                                                   \
            return 0;                                                                                                  \
        columns[0] = T##_columns(in, 0);                                                                               \
        for (; x + 64 <= all; x += 32) {                                                                               \
            if (STOP(in, x + 32))                                                                                      \
                break;                                                                                                 \
            columns[1] = T##_columns(in, x + 32);                                                                      \
            prefetch(in[2] + x + 32); /* this row is read for the first time */                                        \
            __m256i low = columns[0].low, b = columns[0].middle, high = columns[0].high, between = RANK_BETWEEN(low);  \
            __m256i lowest = MOST(MOST(low, RANK_FROM(low, between, step)), RANK_FROM(low, between, 2 * step));        \
            between = RANK_BETWEEN(high);                                                                              \
            __m256i highest = LEAST(LEAST(high, RANK_FROM(high, between, step)), RANK_FROM(high, between, 2 * step));  \
            between = RANK_BETWEEN(middle);                                                                            \
            __m256i c = RANK_FROM(b, between, step), d = RANK_FROM(b, between, 2 * step);                              \
            __m256i middle = MOST(LEAST(b, c), LEAST(MOST(b, c), d));                                                  \
            middle = MOST(LEAST(lowest, middle), LEAST(MOST(lowest, middle), highest));                                \
            _mm256_storeu_si256((__m256i *)(void *)((char *)out + x), VALUE(middle));                                  \
            columns[0] = columns[1];                                                                                   \
        }                                                                                                              \
        return x / (int64_t)sizeof(T);                                                                                 \
    }
/* Whole numbers, of which a pixel has one to four. */
#define SAME_BITS(v) (v)
#define STOP_NEVER(rows, at) false
#define RANK_STEPS(T, one, two, three, four, LEAST, MOST)                                                              \
    RANK_COLUMNS(T, LEAST, MOST, SAME_BITS)                                                                            \
    RANK_STEP(T, one, LEAST, MOST, SAME_BITS, STOP_NEVER)                                                              \
    RANK_STEP(T, two, LEAST, MOST, SAME_BITS, STOP_NEVER)                                                              \
    RANK_STEP(T, three, LEAST, MOST, SAME_BITS, STOP_NEVER)                                                            \
    RANK_STEP(T, four, LEAST, MOST, SAME_BITS, STOP_NEVER)                                                             \
    static int64_t T##_medians(const void *const *rows, int64_t apart, void *out, int64_t count) {                     \
        switch (apart) {                                                                                               \
        case 1: return T##_medians_##one(rows, out, count);                                                            \
        case 2: return T##_medians_##two(rows, out, count);                                                            \
        case 3: return T##_medians_##three(rows, out, count);                                                          \
        default: return T##_medians_##four(rows, out, count);                                                          \
        }                                                                                                              \
    }
RANK_STEPS(uint8_t, 1, 2, 3, 4, _mm256_min_epu8, _mm256_max_epu8)
RANK_STEPS(uint16_t, 2, 4, 6, 8, _mm256_min_epu16, _mm256_max_epu16)

/* rank_key.h of 8 numbers. */
RANK_INLINE __m256i rank_flip(__m256i bits) {
    return _mm256_xor_si256(bits, _mm256_and_si256(_mm256_srai_epi32(bits, 31), _mm256_set1_epi32(0x7fffffff)));
}
RANK_INLINE __m256i rank_keys(__m256i bits) {
    __m256 v = _mm256_castsi256_ps(bits), none = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
    return _mm256_blendv_epi8(rank_flip(bits), _mm256_set1_epi32(0x7fc00000), _mm256_castps_si256(none));
}
RANK_INLINE __m256i rank_positive_zeros(__m256i v) {
    return _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(v), _mm256_setzero_ps()));
}
RANK_INLINE __m256i rank_values(__m256i keys) { return rank_positive_zeros(rank_flip(keys)); }
RANK_COLUMNS(float, _mm256_min_epi32, _mm256_max_epi32, rank_keys)
RANK_STEP(float, 4, _mm256_min_epi32, _mm256_max_epi32, rank_values, STOP_NEVER)

/* Up to the first NaN floats are compared as floats; only keys order NaN, and making keys is a third of the work. */
RANK_INLINE __m256i rank_least(__m256i a, __m256i b) {
    return _mm256_castps_si256(_mm256_min_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
}
RANK_INLINE __m256i rank_most(__m256i a, __m256i b) {
    return _mm256_castps_si256(_mm256_max_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
}
RANK_INLINE bool rank_any_nan(const char *const *rows, int64_t at) {
    const float *a = (const float *)(const void *)(rows[0] + at), *b = (const float *)(const void *)(rows[1] + at),
                *c = (const float *)(const void *)(rows[2] + at);
    __m256 some = _mm256_cmp_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b), _CMP_UNORD_Q);
    __m256 other = _mm256_cmp_ps(_mm256_loadu_ps(c), _mm256_loadu_ps(c), _CMP_UNORD_Q);
    return _mm256_movemask_ps(_mm256_or_ps(some, other)) != 0;
}
typedef float number;
RANK_COLUMNS(number, rank_least, rank_most, SAME_BITS)
RANK_STEP(number, 4, rank_least, rank_most, rank_positive_zeros, rank_any_nan)
#undef SAME_BITS
#undef STOP_NEVER

static int64_t float_medians(const void *const *rows, int64_t apart, void *out, int64_t count) {
    if (apart != 1) /* rows of f32 are of one component */
        return 0;
    int64_t made = number_medians_4(rows, out, count);
    const void *const rest[] = {(const float *)rows[0] + made, (const float *)rows[1] + made, (const float *)rows[2] + made};
    return made + float_medians_4(rest, (float *)out + made, count - made);
}

#endif
