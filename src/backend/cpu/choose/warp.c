/* SPDX-License-Identifier: MIT
 * The ladder of warps: pixels that are moved by blocks or as they are, pixels that are mixed as whole ones or by
 * component. */
#include "backend/cpu/choose/warp.h"

/* The CPU has no rows of f16: they are f32. */
static bool fits_transposed(const void *facts) {
    const struct cpu_warp_case *w = facts;
    return w->image && w->type != WEFT_F16;
}
static bool fits_steep(const void *facts) {
    const struct cpu_warp_case *w = facts;
    return w->nearest && w->input && w->steep && w->border != WEFT_BORDER_CONSTANT && w->border != WEFT_BORDER_SHRINK;
}
/* An image that an earlier pass kept may be in f32 whatever its type says, and a constant outside need not be a whole number. */
static bool fits_move(const void *facts) {
    const struct cpu_warp_case *w = facts;
    return w->nearest && w->input && (w->type == WEFT_U8 || w->type == WEFT_U16) && w->border != WEFT_BORDER_CONSTANT;
}
static bool fits_nearest(const void *facts) { return ((const struct cpu_warp_case *)facts)->nearest; }
static bool fits_mean(const void *facts) { return ((const struct cpu_warp_case *)facts)->places; }
static bool fits_bytes(const void *facts) {
    const struct cpu_warp_case *w = facts;
    return w->input && w->type == WEFT_U8 && !w->nearest;
}
static bool fits_spread(const void *facts) { return ((const struct cpu_warp_case *)facts)->spread; }
static bool fits_spread_bytes(const void *facts) { return fits_spread(facts) && fits_bytes(facts); }
static bool fits_mean_bytes(const void *facts) { return fits_mean(facts) && fits_bytes(facts); }

static const struct weft_rung rungs[] = {
    {CPU_WARP_TRANSPOSED, "transpose_block", "on a grid, from image to image: block by block", fits_transposed},
    {CPU_WARP_SPREAD_BYTES, "warp_spread_bytes",
     "bytes, by weights of 4 or 6 pixels along each axis: whole pixels where all are inside", fits_spread_bytes},
    {CPU_WARP_SPREAD, "warp_spread", "weights of 4 or 6 pixels along each axis: component by component", fits_spread},
    {CPU_WARP_MEAN_BYTES, "warp_mix_line, warp_mix_bytes",
     "bytes, a mean over places: rows where places have one height, else whole pixels", fits_mean_bytes},
    {CPU_WARP_MEAN, "warp_mix_line, warp_mix",
     "a mean over places: rows where places have one height, else by component", fits_mean},
    {CPU_WARP_STEEP, "warp_move_down", "nearest pixels, rows that run down the image: many rows at a time", fits_steep},
    {CPU_WARP_MOVE, "warp_move", "nearest pixels of whole numbers: as they are", fits_move},
    {CPU_WARP_NEAREST, "warp_load", "nearest pixels: to f32", fits_nearest},
    {CPU_WARP_BYTES, "warp_mix_bytes", "bytes: whole pixels where all four are inside", fits_bytes},
    {CPU_WARP_MIX, "warp_mix", "all else: component by component", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_warp(const struct cpu_warp_case *warp) {
    return weft_first_that_fits(rungs, warp);
}
