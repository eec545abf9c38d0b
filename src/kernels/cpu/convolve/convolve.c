/* SPDX-License-Identifier: MIT
 * Weighted sums of rows and along a row. Four vectors of sums stay in registers while all taps are added, so a row is
 * read once per tap, from the first-level cache, and written once. */
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* TAPS(ADD, PAIR) adds every tap by ADD(weight, pointer) or PAIR(weight, pointer, pointer); the sums begin with the tap `from` of
 * `weight`. The pointers are to the block at x. */
#define WIDE_BLOCK(weight, from, TAPS)                                                                                 \
    {                                                                                                                  \
        const float *begin = (from);                                                                                   \
        float w = (weight);                                                                                            \
        vector s0 = w * vector_load(begin), s1 = w * vector_load(begin + LANES);                                       \
        vector s2 = w * vector_load(begin + 2 * LANES), s3 = w * vector_load(begin + 3 * LANES);                       \
        TAPS(WIDE_ADD, WIDE_PAIR)                                                                                      \
        vector_store(out + x, s0), vector_store(out + x + LANES, s1);                                                  \
        vector_store(out + x + 2 * LANES, s2), vector_store(out + x + 3 * LANES, s3);                                  \
    }
#define WIDE_ADD(weight, from)                                                                                         \
    {                                                                                                                  \
        const float *a = (from);                                                                                       \
        w = (weight);                                                                                                  \
        s0 += w * vector_load(a), s1 += w * vector_load(a + LANES);                                                    \
        s2 += w * vector_load(a + 2 * LANES), s3 += w * vector_load(a + 3 * LANES);                                    \
    }
#define WIDE_PAIR(weight, from, other)                                                                                 \
    {                                                                                                                  \
        const float *a = (from), *b = (other);                                                                         \
        w = (weight);                                                                                                  \
        s0 += w * (vector_load(a) + vector_load(b));                                                                   \
        s1 += w * (vector_load(a + LANES) + vector_load(b + LANES));                                                   \
        s2 += w * (vector_load(a + 2 * LANES) + vector_load(b + 2 * LANES));                                           \
        s3 += w * (vector_load(a + 3 * LANES) + vector_load(b + 3 * LANES));                                           \
    }
#define NARROW_BLOCK(weight, from, TAPS)                                                                               \
    {                                                                                                                  \
        vector s0 = (weight)*vector_load(from);                                                                        \
        TAPS(NARROW_ADD, NARROW_PAIR)                                                                                  \
        vector_store(out + x, s0);                                                                                     \
    }
#define NARROW_ADD(weight, from) s0 += (weight)*vector_load(from);
#define NARROW_PAIR(weight, from, other) s0 += (weight) * (vector_load(from) + vector_load(other));
#define ONE_BLOCK(weight, from, TAPS)                                                                                  \
    {                                                                                                                  \
        float s0 = (weight) * *(from);                                                                                 \
        TAPS(ONE_ADD, ONE_PAIR)                                                                                        \
        out[x] = s0;                                                                                                   \
    }
#define ONE_ADD(weight, from) s0 += (weight) * *(from);
#define ONE_PAIR(weight, from, other) s0 += (weight) * (*(from) + *(other));
#define ALL_BLOCKS(weight, from, TAPS)                                                                                 \
    VECTOR_BLOCKS(count, WIDE_BLOCK(weight, from, TAPS), NARROW_BLOCK(weight, from, TAPS), ONE_BLOCK(weight, from, TAPS))

static void weigh_rows(const float *const *rows, const float *weights, int taps, float *out, int count) {
#define TAPS(ADD, PAIR)                                                                                                \
    for (int k = 1; k < taps; k++)                                                                                     \
        ADD(weights[k], rows[k] + x)
    ALL_BLOCKS(weights[0], rows[0] + x, TAPS)
#undef TAPS
}

/* The sums of four successive output rows share their loads: with many taps rows come from the second-level cache, and a single row
 * would wait for it. An input row is added only to outputs where it has a weight, so that an infinity stays within its window. */
#define SHARED_BLOCK(T, LOAD, STORE, WIDTH)                                                                            \
    {                                                                                                                  \
        PREFETCH_NEW(WIDTH)                                                                                            \
        T a0 = {0}, a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0, v, u;                               \
        ROW(0, LOAD, WIDTH) ADD(0, 0)                                                                                  \
        ROW(1, LOAD, WIDTH) ADD(0, 1) ADD(1, 0)                                                                        \
        ROW(2, LOAD, WIDTH) ADD(0, 2) ADD(1, 1) ADD(2, 0)                                                              \
        for (int i = 3; i < taps; i++) {                                                                               \
            ROW(i, LOAD, WIDTH) ADD(0, i) ADD(1, i - 1) ADD(2, i - 2) ADD(3, i - 3)                                    \
        }                                                                                                              \
        ROW(taps, LOAD, WIDTH) ADD(1, taps - 1) ADD(2, taps - 2) ADD(3, taps - 3)                                      \
        ROW(taps + 1, LOAD, WIDTH) ADD(2, taps - 1) ADD(3, taps - 2)                                                   \
        ROW(taps + 2, LOAD, WIDTH) ADD(3, taps - 1)                                                                    \
        STORE(out[0] + x, a0), STORE(out[1] + x, a1), STORE(out[2] + x, a2), STORE(out[3] + x, a3);                    \
        STORE(out[0] + x + (WIDTH), b0), STORE(out[1] + x + (WIDTH), b1);                                              \
        STORE(out[2] + x + (WIDTH), b2), STORE(out[3] + x + (WIDTH), b3);                                              \
    }
/* The last four rows are read for the first time. */
#define PREFETCH_NEW(WIDTH)                                                                                            \
    for (int i = taps - 1; (WIDTH) > 0 && i < taps + 3; i++)                                                           \
        prefetch_at(rows[i] + x, ahead), prefetch_at(rows[i] + x + (WIDTH), ahead);
#define ROW(i, LOAD, WIDTH) v = LOAD(rows[i] + x), u = LOAD(rows[i] + x + (WIDTH));
#define ADD(n, k) a##n += weights[k] * v, b##n += weights[k] * u;
#define LOAD_ONE(from) (*(from))
#define STORE_ONE(to, v) (*(to) = (v))

/* Bytes from a place in four rows to the same place in the next four, where rows are short and contiguous: PREFETCH_AHEAD would lie
 * within these four rows. */
static uintptr_t next_four(const void *first, const void *second) {
    uintptr_t apart = (uintptr_t)second - (uintptr_t)first;
    return apart < 2 * PREFETCH_AHEAD && 4 * apart > PREFETCH_AHEAD ? 4 * apart : PREFETCH_AHEAD;
}

typedef uint16_t u16_vector __attribute__((vector_size(VECTOR_BYTES / 2)));
INLINE vector u16_load(const uint16_t *from) {
    u16_vector w;
    memcpy(&w, from, sizeof w);
#if defined(__AVX2__) && VECTOR_BYTES == 32 /* two instructions, of which GCC makes more */
    return (vector)_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32((__m128i)w));
#else
    return __builtin_convertvector(w, vector);
#endif
}

/* Rows of u16 are converted to floats as they are read. */
#define WEIGH_FOUR(name, T, LOAD)                                                                                      \
    static void name(const T *const *rows, const float *weights, int taps, float *const *out, int count) {             \
        const uintptr_t ahead = next_four(rows[taps + 1], rows[taps + 2]);                                             \
        int x = 0;                                                                                                     \
        for (; x + 2 * LANES <= count; x += 2 * LANES)                                                                 \
            SHARED_BLOCK(vector, LOAD, vector_store, LANES)                                                            \
        if (x < count && count >= 2 * LANES) {                                                                         \
            x = count - 2 * LANES;                                                                                     \
            SHARED_BLOCK(vector, LOAD, vector_store, LANES)                                                            \
            x = count;                                                                                                 \
        }                                                                                                              \
        for (; x < count; x++) /* each by itself, twice */                                                             \
            SHARED_BLOCK(float, LOAD_ONE, STORE_ONE, 0)                                                                \
    }
WEIGH_FOUR(weigh_four_rows, float, vector_load)
WEIGH_FOUR(weigh_four_u16, uint16_t, u16_load)
#undef PREFETCH_NEW
#undef ROW
#undef ADD

static void convolve_row(const float *in, const float *weights, int radius, float *out, int count) {
#define TAPS(ADD, PAIR)                                                                                                \
    for (int k = 1 - radius; k <= radius; k++)                                                                         \
        ADD(weights[k + radius], in + x + k)
    ALL_BLOCKS(weights[0], in + x - radius, TAPS)
#undef TAPS
}

static void convolve_row_symmetric(const float *in, const float *weights, int radius, float *out, int count) {
#define TAPS(ADD, PAIR)                                                                                                \
    for (int k = 1; k <= radius; k++)                                                                                  \
        PAIR(weights[k], in + x - k, in + x + k)
    ALL_BLOCKS(weights[0], in + x, TAPS)
#undef TAPS
}

void KERNEL(weft_fill_convolve)(struct weft_kernels *kernels);
void KERNEL(weft_fill_convolve)(struct weft_kernels *kernels) {
    kernels->weigh_rows = weigh_rows;
    kernels->weigh_four_rows = weigh_four_rows;
    kernels->weigh_four_u16 = weigh_four_u16;
    kernels->convolve_row = convolve_row;
    kernels->convolve_row_symmetric = convolve_row_symmetric;
}
