/* SPDX-License-Identifier: MIT
 * Places around which 4 or 6 pixels along each axis are mixed by the body's weights. These sum to 1, so border=constant adds the
 * value outside by what the weights of pixels inside lack. */
#include <string.h>
#include "backend/cpu/pipeline/tiles.h"
#include "backend/cpu/steps/warp/warp.h"

struct axis {
    int32_t at[WEFT_WARP_PIECE]; /* the last pixel of the first half */
    float weight[WEFT_WARP_MOST_SPREAD][WEFT_WARP_PIECE];
    float inside[WEFT_WARP_PIECE]; /* the sum of weights of pixels that are there */
    ptrdiff_t offset[WEFT_WARP_MOST_SPREAD][WEFT_WARP_PIECE];
};

static void weigh(const struct lane *lane, const struct warp *warp, const float *from, struct axis *axis, int count) {
    float share[WEFT_WARP_PIECE], *weights[WEFT_WARP_MOST_SPREAD];
    for (int k = 0; k < WEFT_WARP_MOST_SPREAD; k++)
        weights[k] = axis->weight[k];
    lane->kernels->warp_floor(from, axis->at, share, count);
    warp->body->weigh(share, weights, count);
}

/* Where the pixels along an axis lie, with the border. */
static void find(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, int64_t size, bool across,
                 struct axis *axis, int count) {
    static const int32_t none[WEFT_WARP_PIECE];
    for (int i = 0; i < count; i++)
        axis->inside[i] = 1;
    for (int k = 0; k < warp->spread; k++) {
        int32_t place[WEFT_WARP_PIECE];
        for (int i = 0; i < count; i++) {
            int64_t at = (int64_t)axis->at[i] + k - warp->spread / 2 + 1;
            if (at < 0 || at >= size)
                at = weft_border_map(at, size, warp->border);
            if (at < 0)
                axis->inside[i] -= axis->weight[k][i], axis->weight[k][i] = 0, at = 0;
            place[i] = (int32_t)at;
        }
        weft_pixel_offsets(lane->kernels, pixels, across ? place : none, across ? none : place, axis->offset[k], count);
    }
}

static struct weft_warp_spread spread_of(const struct warp *warp, const struct axis *x, const struct axis *y, int count) {
    struct weft_warp_spread spread = {.pixels = warp->spread, .count = count};
    for (int k = 0; k < warp->spread; k++) {
        spread.across[k] = x->weight[k], spread.down[k] = y->weight[k];
        spread.column[k] = x->offset[k], spread.row[k] = y->offset[k];
    }
    return spread;
}

void weft_warp_spread_any(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                          const struct warp_piece *piece, float value, void *const *out) {
    struct axis x, y;
    weigh(lane, warp, piece->from_x, &x, piece->count);
    weigh(lane, warp, piece->from_y, &y, piece->count);
    find(lane, warp, pixels, warp->whole.info.width, true, &x, piece->count);
    find(lane, warp, pixels, warp->whole.info.height, false, &y, piece->count);
    struct weft_warp_spread spread = spread_of(warp, &x, &y, piece->count);
    for (int32_t k = 0; k < pixels->channels; k++) {
        float *to = out[k];
        lane->kernels->warp_spread[pixels->type](pixels->plane[k], &spread, to);
        for (int i = 0; i < piece->count && warp->border == WEFT_BORDER_CONSTANT; i++)
            if (x.inside[i] != 1 || y.inside[i] != 1)
                to[i] += value * (1 - x.inside[i] * y.inside[i]);
    }
}

void weft_warp_spread_bytes(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, const float *from_x,
                            const float *from_y, float *const *out, int count) {
    struct axis x, y;
    weigh(lane, warp, from_x, &x, count);
    weigh(lane, warp, from_y, &y, count);
    struct weft_warp_spread spread = spread_of(warp, &x, &y, count);
    lane->kernels->warp_spread_bytes[pixels->channels](pixels->plane[0], pixels->row_bytes, x.at, y.at, &spread, out);
}
