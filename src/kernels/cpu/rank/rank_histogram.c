/* SPDX-License-Identifier: MIT
 * Medians of 8-bit values in constant time per pixel, after Perreault and Hebert (2007): a histogram per column, slid
 * down a row at a time; a window's histogram is the sum of its columns', slid along the row, of which only the segment
 * that the median is in is kept up to date. Unlike theirs the counts are cumulative, which sums as well, and makes
 * finding the median a comparison of 16 counts at once. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/rank/rank.h"

typedef uint8_t step __attribute__((vector_size(16)));

/* What a value of i adds to the running counts: 1 from the i-th on. */
#define I(n, i) ((i) >= (n))
#define STEP(n)                                                                                                        \
    {                                                                                                                  \
        I(n, 0), I(n, 1), I(n, 2), I(n, 3), I(n, 4), I(n, 5), I(n, 6), I(n, 7), I(n, 8), I(n, 9), I(n, 10), I(n, 11),  \
            I(n, 12), I(n, 13), I(n, 14), I(n, 15)                                                                     \
    }
static const step steps[16] = {STEP(0), STEP(1), STEP(2),  STEP(3),  STEP(4),  STEP(5),  STEP(6),  STEP(7),
                               STEP(8), STEP(9), STEP(10), STEP(11), STEP(12), STEP(13), STEP(14), STEP(15)};

/* 16 numbers from COUNT to SUM, twice as long, in vectors of 16 bytes. */
static inline void widen_narrow(const uint8_t *counts, uint16_t __attribute__((vector_size(16))) * wide) {
    for (int i = 0; i < 2; i++) {
        uint8_t __attribute__((vector_size(8))) half;
        memcpy(&half, counts + 8 * i, sizeof half);
        wide[i] = __builtin_convertvector(half, uint16_t __attribute__((vector_size(16))));
    }
}
static inline void widen_wide(const uint16_t *counts, uint32_t __attribute__((vector_size(16))) * wide) {
    for (int i = 0; i < 4; i++) {
        uint16_t __attribute__((vector_size(8))) quarter;
        memcpy(&quarter, counts + 4 * i, sizeof quarter);
        wide[i] = __builtin_convertvector(quarter, uint32_t __attribute__((vector_size(16))));
    }
}

#define COUNT uint8_t
#define SUM uint16_t
#define WIDEN widen_narrow
#define NAME(x) narrow_##x
#include "kernels/cpu/rank/rank_histogram_type.h"
#define COUNT uint16_t
#define SUM uint32_t
#define WIDEN widen_wide
#define NAME(x) wide_##x
#include "kernels/cpu/rank/rank_histogram_type.h"

void KERNEL(weft_fill_rank_histogram)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank_histogram)(struct weft_kernels *kernels) {
    kernels->rank_slide[0] = narrow_slide, kernels->rank_slide[1] = wide_slide;
    kernels->rank_histogram[0] = narrow_histogram, kernels->rank_histogram[1] = wide_histogram;
}
