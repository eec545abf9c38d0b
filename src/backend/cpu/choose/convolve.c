/* SPDX-License-Identifier: MIT
 * The ladders of separable filters: bytes in whole numbers, rows of 16 bits as stored, else f32; and wide ones of bytes
 * directly, else on coarse grids. */
#include "backend/cpu/choose/convolve.h"

bool weft_cpu_border_repeats(weft_border border) { return border != WEFT_BORDER_CONSTANT && border != WEFT_BORDER_SHRINK; }

static bool fits_fixed(const void *facts) {
    const struct cpu_convolve_case *c = facts;
    return c->image && c->has_fixed && c->whole && c->type == WEFT_U8 && weft_cpu_border_repeats(c->border);
}
static bool fits_u16(const void *facts) {
    const struct cpu_convolve_case *c = facts;
    return c->type == WEFT_U16 && c->channels == 1 && weft_cpu_border_repeats(c->border) && c->radius_y >= 1 &&
           c->radius_y <= CPU_CONVOLVE_U16_RADIUS;
}
static bool fits_four(const void *facts) {
    const struct cpu_convolve_case *c = facts;
    return c->near && c->radius_y > 0;
}

static const struct weft_rung rungs[] = {
    {CPU_CONVOLVE_FIXED, "weigh_rows_fixed", "bytes to bytes, weights in whole numbers", fits_fixed},
    {CPU_CONVOLVE_U16, "weigh_four_u16", "one channel of 16 bits, few rows: as stored", fits_u16},
    {CPU_CONVOLVE_F32_FOUR, "weigh_four_rows", "rows of an image or a point program, in f32: four at a time", fits_four},
    {CPU_CONVOLVE_F32, "weigh_rows", "all else, in f32", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_convolve(const struct cpu_convolve_case *convolve) {
    return weft_first_that_fits(rungs, convolve);
}

static bool fits_direct(const void *facts) {
    const struct cpu_coarse_case *c = facts;
    return c->image && c->has_fixed && c->plain && c->type == WEFT_U8 && weft_cpu_border_repeats(c->border) &&
           c->radius <= (c->decimates ? CPU_CONVOLVE_DIRECT_BESIDE_BYTES : CPU_CONVOLVE_DIRECT_RADIUS);
}

static const struct weft_rung coarse_rungs[] = {
    {CPU_COARSE_DIRECT, "weigh_rows_fixed", "bytes to bytes, radius up to 23 or 27: directly", fits_direct},
    {CPU_COARSE_GRID, "decimate_bytes, interpolate_bytes, resample", "all else: on a coarse grid", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_coarse(const struct cpu_coarse_case *coarse) {
    return weft_first_that_fits(coarse_rungs, coarse);
}
