/* SPDX-License-Identifier: MIT
 * The ladder of box filters: small ones of f32 as convolutions, others by sums of columns, in the least type that holds them. */
#include "backend/cpu/choose/box.h"

/* Up to this radius sums of f32 one by one, as convolutions make them, are faster than sums of sums (1.1 times at 8, twice at 1,
 * 3840x2160 and one thread), and as exact as f32 is. */
#define FEW_TAPS 8

double weft_cpu_box_column(const struct cpu_box_case *box) {
    return (2 * (double)box->radius_y + 1) * (box->type == WEFT_ROW_U8 ? 255 : 65535);
}

static bool fits_separable(const void *facts) {
    const struct cpu_box_case *box = facts;
    return box->type == WEFT_ROW_F32 && box->x <= FEW_TAPS && box->y <= FEW_TAPS;
}
static bool fits_f32(const void *facts) { return ((const struct cpu_box_case *)facts)->type == WEFT_ROW_F32; }
static bool fits_u32(const void *facts) {
    const struct cpu_box_case *box = facts;
    return weft_cpu_box_column(box) * (2 * (double)box->radius_x + 1) < 4294967296.0;
}
static bool fits_u16(const void *facts) {
    const struct cpu_box_case *box = facts;
    return fits_u32(box) && box->type == WEFT_ROW_U8 && weft_cpu_box_column(box) < 65536;
}

static const struct weft_rung rungs[] = {
    {CPU_BOX_SEPARABLE, "weigh_rows, weigh_four_rows", "f32, radius up to 8: weighed sums", fits_separable},
    {CPU_BOX_F32, "box_line_f32", "f32, larger radii: sums of sums", fits_f32},
    {CPU_BOX_U16, "box_line", "bytes, sums of columns in 16 bits", fits_u16},
    {CPU_BOX_U32, "box_line", "whole numbers, sums in 32 bits", fits_u32},
    {CPU_BOX_U64, "box_line", "whole numbers, sums in 64 bits", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_box(const struct cpu_box_case *box) { return weft_first_that_fits(rungs, box); }
