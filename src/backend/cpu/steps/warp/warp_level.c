/* SPDX-License-Identifier: MIT
 * Places that all have the same y, as in warps that move or scale without rotation: the two rows around them are loaded and mixed
 * as rows, and the rest is to mix along the row. When every pixel was read by itself, motion blurs took 3.2 and zoom blurs 2.7
 * times as long. */
#include "backend/cpu/pipeline/tiles.h"
#include "backend/cpu/steps/warp/warp.h"

#define SPAN (2 * WEFT_WARP_PIECE) /* pixels of the input that a piece is made of at most */

/* Pixels low .. low + count - 1 of row y as planes of f32. */
static void load_row(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, int64_t y,
                     int32_t low, int count, float (*planes)[SPAN + WEFT_LINE_PAD]) {
    bool interleaved = warp->whole.input >= 0;
    for (int from = 0, run; from < count; from += run) {
        run = pixels->tiles ? (int)weft_tiles_run(pixels->tiles, low + from, count - from) : count;
        ptrdiff_t offset = weft_pixel_offset(pixels, low + from, y);
        float *out[4] = {planes[0] + from, planes[1] + from, planes[2] + from, planes[3] + from};
        if (interleaved)
            lane->kernels->load[pixels->type](pixels->plane[0] + offset, pixels->channels, out, run);
        for (int32_t k = 0; k < pixels->channels && !interleaved; k++)
            lane->kernels->load[pixels->type](pixels->plane[k] + offset, 1, &out[k], run);
    }
}

bool weft_warp_level(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                     struct warp_piece *piece, void *const *out) {
    const struct weft_kernels *kernels = lane->kernels;
    int64_t width = warp->whole.info.width, around[2];
    float rows[2][4][SPAN + WEFT_LINE_PAD];
    int32_t low, high;
    if (pixels->type == WEFT_F64 || !kernels->warp_same(piece->from_y, piece->count))
        return false;
    float down = weft_warp_around(piece->from_y[0], warp->whole.info.height, warp->border, false, around);
    bool outside = kernels->warp_between(piece->from_x, width, piece->x[0], piece->x[1], piece->right, piece->count);
    if ((outside && !weft_warp_goes_on(warp->border)) || around[0] < 0 || around[1] < 0)
        return false;
    if (outside)
        weft_warp_map(piece->from_x, width, warp, piece->x, piece->count);
    kernels->warp_span(piece->x[0], piece->x[1], piece->count, &low, &high);
    if (high - low >= SPAN)
        return false;
    int count = high - low + 1;
    load_row(lane, warp, pixels, around[0], low, count, rows[0]);
    if (down > 0)
        load_row(lane, warp, pixels, around[1], low, count, rows[1]);
    for (int32_t k = 0; k < pixels->channels; k++) {
        if (down > 0)
            kernels->warp_mix_rows(rows[0][k], rows[1][k], down, count);
        kernels->warp_mix_line(rows[0][k], low, piece->x[0], piece->x[1], piece->right, out[k], piece->count);
    }
    return true;
}
