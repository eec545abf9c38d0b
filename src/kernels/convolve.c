/* SPDX-License-Identifier: MIT
 * Weighted sums of rows and along a row. Four vectors of sums stay in registers while all taps are added, so a row is
 * read once per tap, from the first-level cache, and written once. */
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "kernels/vector.h"

/* TAPS(ADD) adds every tap by ADD(weight, pointer) or ADD_PAIR(weight, pointer, pointer); FIRST is the tap that the sums
 * begin with. The pointers are to the block at x. */
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

static void weigh_rows_symmetric(const float *const *rows, const float *weights, int radius, float *out, int count) {
#define TAPS(ADD, PAIR)                                                                                                \
    for (int k = 1; k <= radius; k++)                                                                                  \
        PAIR(weights[k], rows[radius - k] + x, rows[radius + k] + x)
    ALL_BLOCKS(weights[0], rows[radius] + x, TAPS)
#undef TAPS
}

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
    kernels->weigh_rows_symmetric = weigh_rows_symmetric;
    kernels->convolve_row = convolve_row;
    kernels->convolve_row_symmetric = convolve_row_symmetric;
}
