/* SPDX-License-Identifier: MIT
 * The ladder of separable filters: bytes in whole numbers, rows of 16 bits as stored, else f32. */
#include "backend/cpu/choose/convolve.h"

bool weft_cpu_border_repeats(weft_border border) { return border != WEFT_BORDER_CONSTANT && border != WEFT_BORDER_SHRINK; }

static bool fits_fixed(const void *facts) {
    const struct cpu_convolve_case *c = facts;
    return c->whole && c->type == WEFT_U8 && weft_cpu_border_repeats(c->border);
}
static bool fits_u16(const void *facts) {
    const struct cpu_convolve_case *c = facts;
    return c->type == WEFT_U16 && c->channels == 1 && weft_cpu_border_repeats(c->border) && c->radius_y >= 1 &&
           c->radius_y <= CPU_CONVOLVE_U16_RADIUS;
}

static const struct weft_rung rungs[] = {
    {CPU_CONVOLVE_FIXED, "weigh_rows_fixed", "bytes to bytes, weights in whole numbers", fits_fixed},
    {CPU_CONVOLVE_U16, "weigh_four_words", "one channel of 16 bits, few rows: as stored", fits_u16},
    {CPU_CONVOLVE_F32, "weigh_rows, weigh_four_rows", "all else, in f32", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_convolve(const struct cpu_convolve_case *convolve) {
    return weft_first_that_fits(rungs, convolve);
}
