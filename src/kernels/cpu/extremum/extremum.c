/* SPDX-License-Identifier: MIT
 * Rows of dilation and erosion. Down the columns, the running extremum of van Herk (1992) and of Gil and Werman (1993),
 * which takes three comparisons per pixel whatever the radius; its rows are vectors here. Along a row, where their
 * recurrence would be scalar, extrema of 4, 16, 64 ... neighbours are made of one another, which is vector code and
 * takes a pass per factor of 4 of the window. */
#include <math.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"

#define SQUARE_PIECE(T) (int64_t)(1024 / sizeof(T)) /* elements between two prefetches */
#define NEW_PIECE 512 /* bytes, likewise, of a row that goes into extrema of larger windows */
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define SAME(a) (a)

#ifdef __AVX512BW__
#include <immintrin.h>
/* Elements from number n of v on, and then of the next vector's; n is a constant. */
#define SHIFT_FLOATS(v, next, n) \
    _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(next), _mm512_castps_si512(v), n))
static const uint16_t places[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
                                    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
#define SHIFT_WORDS(v, next, n) _mm512_permutex2var_epi16(v, _mm512_loadu_si512(places + (n)), next)
#endif

#define T float
#define BETTER LARGER
#define CLEAN(a) LARGER(a, -INFINITY)
#define COLUMNS_FIRST
#define NAME(x) max_f32_##x
#ifdef __AVX512BW__
#define VECTOR __m512
#define LOAD_VECTOR _mm512_loadu_ps
#define STORE_VECTOR _mm512_storeu_ps
#define ALL_VECTOR _mm512_set1_ps
#define SHIFT_VECTOR SHIFT_FLOATS
#define BETTER_VECTOR _mm512_max_ps
#define CLEAN_VECTOR(v) _mm512_max_ps(v, _mm512_set1_ps(-INFINITY))
#endif
#include "kernels/cpu/extremum/extremum_type.h"
#define T float
#define BETTER SMALLER
#define CLEAN(a) SMALLER(a, INFINITY)
#define COLUMNS_FIRST
#define NAME(x) min_f32_##x
#ifdef __AVX512BW__
#define BETTER_VECTOR _mm512_min_ps
#define CLEAN_VECTOR(v) _mm512_min_ps(v, _mm512_set1_ps(INFINITY))
#endif
#include "kernels/cpu/extremum/extremum_type.h"
#undef VECTOR
#undef LOAD_VECTOR
#undef STORE_VECTOR
#undef ALL_VECTOR
#undef SHIFT_VECTOR

#define T uint16_t
#define BETTER LARGER
#define CLEAN SAME
#define NAME(x) max_u16_##x
#ifdef __AVX512BW__
#define VECTOR __m512i
#define LOAD_VECTOR(from) _mm512_loadu_si512(from)
#define STORE_VECTOR(to, v) _mm512_storeu_si512(to, v)
#define ALL_VECTOR(v) _mm512_set1_epi16((short)(v))
#define SHIFT_VECTOR SHIFT_WORDS
#define BETTER_VECTOR _mm512_max_epu16
#define CLEAN_VECTOR SAME
#endif
#include "kernels/cpu/extremum/extremum_type.h"
#define T uint16_t
#define BETTER SMALLER
#define CLEAN SAME
#define NAME(x) min_u16_##x
#ifdef __AVX512BW__
#define BETTER_VECTOR _mm512_min_epu16
#define CLEAN_VECTOR SAME
#endif
#include "kernels/cpu/extremum/extremum_type.h"

#define T uint8_t
#define BETTER LARGER
#define CLEAN SAME
#define NAME(x) max_u8_##x
#include "kernels/cpu/extremum/extremum_type.h"
#define T uint8_t
#define BETTER SMALLER
#define CLEAN SAME
#define NAME(x) min_u8_##x
#include "kernels/cpu/extremum/extremum_type.h"

#define BOTH(type)                                                                                                     \
    static void type##_rows(bool maximum, const void *const *rows, int n, void *out, int64_t count) {                  \
        (maximum ? max_##type##_rows : min_##type##_rows)(rows, n, out, count);                                        \
    }                                                                                                                  \
    static void type##_square(bool maximum, const void *const *rows, int64_t apart, void *out, int64_t count) {        \
        (maximum ? max_##type##_square : min_##type##_square)(rows, apart, out, count);                                \
    }                                                                                                                  \
    static void type##_fold(bool maximum, const void *in, void *prefix, void *keep, int64_t count) {                   \
        (maximum ? max_##type##_fold : min_##type##_fold)(in, prefix, keep, count);                                    \
    }                                                                                                                  \
    static void type##_join(bool maximum, const void *in, void *prefix, void *keep, const void *suffix, void *out,     \
                            int64_t count) {                                                                           \
        (maximum ? max_##type##_join : min_##type##_join)(in, prefix, keep, suffix, out, count);                       \
    }                                                                                                                  \
    static void type##_suffixes(bool maximum, void *rows, size_t stride, int64_t n, int64_t count) {                   \
        (maximum ? max_##type##_suffixes : min_##type##_suffixes)(rows, stride, n, count);                             \
    }                                                                                                                  \
    static void type##_line(bool maximum, void *line, void *spare, int64_t window, int64_t apart, void *out,           \
                            int64_t count) {                                                                           \
        (maximum ? max_##type##_line : min_##type##_line)(line, spare, window, apart, out, count);                     \
    }
BOTH(f32)
BOTH(u8)
BOTH(u16)

#define ROOM(type, row)                                                                                                \
    kernels->extremum_rows[row] = type##_rows, kernels->extremum_square[row] = type##_square,                          \
    kernels->extremum_fold[row] = type##_fold,                                                                         \
    kernels->extremum_join[row] = type##_join, kernels->extremum_suffixes[row] = type##_suffixes,                      \
    kernels->extremum_line[row] = type##_line

void KERNEL(weft_fill_extremum)(struct weft_kernels *kernels);
void KERNEL(weft_fill_extremum)(struct weft_kernels *kernels) {
    ROOM(f32, WEFT_ROW_F32);
    ROOM(u8, WEFT_ROW_U8);
    ROOM(u16, WEFT_ROW_U16);
}
