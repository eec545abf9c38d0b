/* SPDX-License-Identifier: MIT
 * A stencil of whole numbers, and its weights, which may change from run to run. */
#ifndef CPU_STENCIL_FIXED_H
#define CPU_STENCIL_FIXED_H
#include "filter/filter.h"
#include "kernels/cpu/kernels.h"

#define WEFT_STENCIL_RADIUS (WEFT_STENCIL_ROWS / 2)

struct stencil_fixed {
    const struct weft_filter *filter;
    const struct weft_body *body;
    int32_t radius;
    weft_border border;
    weft_type type;
    int64_t last;                            /* the first column of the right edge */
    int64_t left[3 * WEFT_STENCIL_RADIUS], right[3 * WEFT_STENCIL_RADIUS]; /* columns that stand for those around the edges' */
};

/* The weights that are not 0, in whole numbers; of a length those of both sums. */
struct stencil_weights {
    bool made, fits, length;
    int32_t count; /* even: a weight of 0 fills up */
    int32_t start, shift;
    int16_t weight[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS + 1];
    struct weft_fixed_lengths lengths;
    int8_t dx[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS + 3], dy[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS + 3];
};

/* Makes the weights of a run; *w must be all 0. `fits` is false where whole numbers cannot hold the weights. */
void weft_stencil_weights(const struct stencil_fixed *s, const void *block, struct stencil_weights *w);

#endif
