/* SPDX-License-Identifier: MIT
 * Medians of 5 x 5 of pairs of pixels, by vectors of 32 or 64 bytes. The even pixels of a row go to one vector and the odd ones to
 * another. The two columns of a pair are merged once for all squares that have both, and the middle six of two pairs are used by
 * two squares: with the column before them and with the column behind them. So a vector takes 59 comparisons where rank_type.h
 * takes 90.
 *
 * A pixel has 1, 2, 4, 8 or 16 bytes. */
#ifndef KERNELS_RANK_PAIRS_H
#define KERNELS_RANK_PAIRS_H
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "kernels/cpu/rank/rank_five.h"

#define PAIRS_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512BW__)
typedef __m512i pairs_vector;
#define PAIRS(operation) _mm512_##operation
#define PAIRS_BITS(operation) _mm512_##operation##_si512
/* Halves of 16 bytes of two vectors, in the vectors' order. */
#define PAIRS_IN_ORDER(v) _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), v)
#define PAIRS_FIRST_HALVES(a, b) _mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), b)
#define PAIRS_LAST_HALVES(a, b) _mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), b)
#define PAIRS_EVEN_16(a, b) _mm512_shuffle_i64x2(a, b, 0x88)
#define PAIRS_ODD_16(a, b) _mm512_shuffle_i64x2(a, b, 0xdd)
#define PAIRS_FLOATS _mm512_castsi512_ps
#define PAIRS_WHOLE _mm512_castps_si512
#else
typedef __m256i pairs_vector;
#define PAIRS(operation) _mm256_##operation
#define PAIRS_BITS(operation) _mm256_##operation##_si256
#define PAIRS_IN_ORDER(v) _mm256_permute4x64_epi64(v, 0xd8)
#define PAIRS_FIRST_HALVES(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define PAIRS_LAST_HALVES(a, b) _mm256_permute2x128_si256(a, b, 0x31)
#define PAIRS_EVEN_16(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define PAIRS_ODD_16(a, b) _mm256_permute2x128_si256(a, b, 0x31)
#define PAIRS_FLOATS _mm256_castsi256_ps
#define PAIRS_WHOLE _mm256_castps_si256
#endif
#define PAIRS_WIDTH (int64_t) sizeof(pairs_vector)

PAIRS_INLINE pairs_vector pairs_load(const char *from) { return PAIRS_BITS(loadu)((const pairs_vector *)(const void *)from); }
PAIRS_INLINE void pairs_store(char *to, pairs_vector v) { PAIRS_BITS(storeu)((pairs_vector *)(void *)to, v); }

/* The even pixels of two vectors that follow one another, of `pixel` bytes, a constant; the odd ones. */
PAIRS_INLINE pairs_vector pairs_even(pairs_vector a, pairs_vector b, int pixel) {
    const pairs_vector bytes = PAIRS(set1_epi16)(0xff), words = PAIRS(set1_epi32)(0xffff);
    switch (pixel) {
    case 1: return PAIRS_IN_ORDER(PAIRS(packus_epi16)(PAIRS_BITS(and)(a, bytes), PAIRS_BITS(and)(b, bytes)));
    case 2: return PAIRS_IN_ORDER(PAIRS(packus_epi32)(PAIRS_BITS(and)(a, words), PAIRS_BITS(and)(b, words)));
    case 4: return PAIRS_IN_ORDER(PAIRS_WHOLE(PAIRS(shuffle_ps)(PAIRS_FLOATS(a), PAIRS_FLOATS(b), 0x88)));
    case 8: return PAIRS_IN_ORDER(PAIRS(unpacklo_epi64)(a, b));
    default: return PAIRS_EVEN_16(a, b);
    }
}
PAIRS_INLINE pairs_vector pairs_odd(pairs_vector a, pairs_vector b, int pixel) {
    switch (pixel) {
    case 1: return PAIRS_IN_ORDER(PAIRS(packus_epi16)(PAIRS(srli_epi16)(a, 8), PAIRS(srli_epi16)(b, 8)));
    case 2: return PAIRS_IN_ORDER(PAIRS(packus_epi32)(PAIRS(srli_epi32)(a, 16), PAIRS(srli_epi32)(b, 16)));
    case 4: return PAIRS_IN_ORDER(PAIRS_WHOLE(PAIRS(shuffle_ps)(PAIRS_FLOATS(a), PAIRS_FLOATS(b), 0xdd)));
    case 8: return PAIRS_IN_ORDER(PAIRS(unpackhi_epi64)(a, b));
    default: return PAIRS_ODD_16(a, b);
    }
}
/* Pixels of a and b in turns, to two vectors at `to`. */
PAIRS_INLINE void pairs_join(char *to, pairs_vector a, pairs_vector b, int pixel) {
    pairs_vector low = a, high = b;
    if (pixel == 1)
        low = PAIRS(unpacklo_epi8)(a, b), high = PAIRS(unpackhi_epi8)(a, b);
    else if (pixel == 2)
        low = PAIRS(unpacklo_epi16)(a, b), high = PAIRS(unpackhi_epi16)(a, b);
    else if (pixel == 4)
        low = PAIRS(unpacklo_epi32)(a, b), high = PAIRS(unpackhi_epi32)(a, b);
    else if (pixel == 8)
        low = PAIRS(unpacklo_epi64)(a, b), high = PAIRS(unpackhi_epi64)(a, b);
    pairs_store(to, PAIRS_FIRST_HALVES(low, high));
    pairs_store(to + PAIRS_WIDTH, PAIRS_LAST_HALVES(low, high));
}

/* A piece of a row, as bytes: columns of even and of odd pixels in order, and pairs of them merged, from the second vector on.
 * Values beside them are left over from an earlier piece and are not used. */
#define PAIRS_PIECE 16 /* vectors of pairs */
#define PAIRS_ROW ((PAIRS_PIECE + 2) * sizeof(pairs_vector))
struct pairs_memory {
    char even[5][PAIRS_ROW], odd[5][PAIRS_ROW], merged[10][PAIRS_ROW];
    char made[2 * PAIRS_ROW];
};

#define NUMBER pairs_vector
/* T_pairs: medians of `count` elements of type T, of which `apart` make a pixel; the rows have two pixels more on each side. False
 * where there are fewer columns than make a vector of medians, or pixels are not so large: then none is made. */
/* Vectors of pairs of columns that make at least one median: of four floats, which have 64 bytes beside, one of 64 makes none. */
#define PAIRS_LEAST(pixel) (4 * (pixel) / (2 * PAIRS_WIDTH) + 1)
#define PAIRS_OF(T, KEY, VALUE)                                                                                                \
    PAIRS_INLINE void T##_pairs_of_columns(const char *const *rows, struct pairs_memory *memory, int64_t vectors, int pixel) { \
        for (int64_t k = 0; k < vectors; k++) {                                                                        \
            pairs_vector first[5], other[5];                                                                           \
            for (int i = 0; i < 5; i++) {                                                                              \
                pairs_vector a = pairs_load(rows[i] + 2 * k * PAIRS_WIDTH),                                            \
                             b = pairs_load(rows[i] + (2 * k + 1) * PAIRS_WIDTH);                                      \
                first[i] = KEY(pairs_even(a, b, pixel)), other[i] = KEY(pairs_odd(a, b, pixel));                       \
            }                                                                                                          \
            int64_t at = (k + 1) * PAIRS_WIDTH;                                                                        \
            pairs_vector p = first[0], q = first[1], r = first[2], s = first[3], t = first[4];                         \
            RANK_SORT(p, q, r, s, t)                                                                                   \
            pairs_vector u = other[0], v = other[1], w = other[2], x = other[3], y = other[4];                         \
            RANK_SORT(u, v, w, x, y)                                                                                   \
            const pairs_vector even[] = {p, q, r, s, t}, odd[] = {u, v, w, x, y};                                      \
            for (int i = 0; i < 5; i++)                                                                                \
                pairs_store(memory->even[i] + at, even[i]), pairs_store(memory->odd[i] + at, odd[i]);                  \
            RANK_MERGE(p, q, r, s, t, u, v, w, x, y)                                                                   \
            const pairs_vector merged[] = {p, q, r, s, t, v, w, x, u, y};                                              \
            for (int i = 0; i < 10; i++)                                                                               \
                pairs_store(memory->merged[i] + at, merged[i]);                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    PAIRS_INLINE void T##_pairs_of_squares(struct pairs_memory *memory, int64_t vectors, int pixel) {                  \
        for (int64_t k = 0; k < vectors; k++) {                                                                        \
            int64_t at = (k + 1) * PAIRS_WIDTH;                                                                        \
            RANK_MIDDLE_SIX(PAIRS_HERE, PAIRS_NEXT, a, b, c, d, e, f)                                                  \
            pairs_vector before = RANK_MIDDLE(a, b, c, d, e, f, PAIRS_BEFORE(0), PAIRS_BEFORE(1), PAIRS_BEFORE(2),     \
                                              PAIRS_BEFORE(3), PAIRS_BEFORE(4));                                       \
            pairs_vector after = RANK_MIDDLE(a, b, c, d, e, f, PAIRS_AFTER(0), PAIRS_AFTER(1), PAIRS_AFTER(2),         \
                                             PAIRS_AFTER(3), PAIRS_AFTER(4));                                          \
            pairs_join(memory->made + 2 * k * PAIRS_WIDTH, VALUE(before), VALUE(after), pixel);                        \
        }                                                                                                              \
    }                                                                                                                  \
    PAIRS_INLINE void T##_pairs_of_row(const void *const *rows, char *out, int64_t bytes, int pixel) {                 \
        struct pairs_memory memory;                                                                                    \
        const int64_t beside = 4 * pixel, two = 2 * PAIRS_WIDTH, least = PAIRS_LEAST(pixel);                           \
        for (int64_t begin = 0, n; begin < bytes; begin += n) {                                                        \
            int64_t vectors = (bytes - begin + beside) / two;                                                          \
            vectors = vectors > PAIRS_PIECE ? PAIRS_PIECE : vectors > least ? vectors : least;                         \
            n = vectors * two - beside;                                                                                \
            begin = begin < bytes - n ? begin : bytes - n; /* the last piece overlaps the one before */                \
            const char *in[5];                                                                                         \
            for (int i = 0; i < 5; i++)                                                                                \
                in[i] = (const char *)rows[i] + begin - 2 * pixel;                                                     \
            T##_pairs_of_columns(in, &memory, vectors, pixel);                                                         \
            T##_pairs_of_squares(&memory, vectors, pixel);                                                             \
            memcpy(out + begin, memory.made + pixel, (size_t)n);                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static bool T##_pairs(const void *const *rows, int64_t apart, void *out, int64_t count) {                          \
        int64_t bytes = count * (int64_t)sizeof(T), pixel = apart * (int64_t)sizeof(T);                                \
        if (bytes + 4 * pixel < PAIRS_LEAST(pixel) * 2 * PAIRS_WIDTH)                                                  \
            return false;                                                                                              \
        switch (apart) {                                                                                               \
        case 1: T##_pairs_of_row(rows, out, bytes, (int)sizeof(T)); return true;                                       \
        case 2: T##_pairs_of_row(rows, out, bytes, 2 * (int)sizeof(T)); return true;                                   \
        case 4: T##_pairs_of_row(rows, out, bytes, 4 * (int)sizeof(T)); return true;                                   \
        default: return false;                                                                                         \
        }                                                                                                              \
    }
#define PAIRS_HERE(i) pairs_load(memory->merged[i] + at)
#define PAIRS_NEXT(i) pairs_load(memory->merged[i] + at + pixel)
#define PAIRS_BEFORE(i) pairs_load(memory->odd[i] + at - pixel)
#define PAIRS_AFTER(i) pairs_load(memory->even[i] + at + 2 * pixel)
#define PAIRS_AS_THEY_ARE(v) (v)

#define LOW(a, b) PAIRS(min_epu8)(a, b)
#define HIGH(a, b) PAIRS(max_epu8)(a, b)
PAIRS_OF(uint8_t, PAIRS_AS_THEY_ARE, PAIRS_AS_THEY_ARE)
#undef LOW
#undef HIGH
#define LOW(a, b) PAIRS(min_epu16)(a, b)
#define HIGH(a, b) PAIRS(max_epu16)(a, b)
PAIRS_OF(uint16_t, PAIRS_AS_THEY_ARE, PAIRS_AS_THEY_ARE)
#undef LOW
#undef HIGH
#define LOW(a, b) PAIRS(min_epi32)(a, b)
#define HIGH(a, b) PAIRS(max_epi32)(a, b)
PAIRS_OF(float, rank_keys, rank_values)
#undef LOW
#undef HIGH
#undef NUMBER

#endif
