/* SPDX-License-Identifier: MIT
 * Places in images of bytes, in runs of the same case: where all four pixels are inside, whole pixels are read and mixed without a
 * border; where none is, the result is the value outside; the few places between, a pixel or two of a row, are made as for all
 * other images. */
#include <limits.h>
#include <string.h>
#include "backend/cpu/pipeline/tiles.h"
#include "backend/cpu/steps/warp/warp.h"

/* Whether the pixels are interleaved bytes that 32 bits can count: that depends on where the image of a run lies. */
static bool takes(const struct warp *warp, const struct pixels *pixels) {
    const weft_image_info *info = &warp->whole.info;
    ptrdiff_t pitch = pixels->row_bytes < 0 ? -pixels->row_bytes : pixels->row_bytes;
    return (warp->kernel == CPU_WARP_BYTES || warp->kernel == CPU_WARP_MEAN_BYTES || warp->kernel == CPU_WARP_SPREAD_BYTES) &&
           !pixels->tiles && pitch <= INT_MAX / (info->height + 1);
}

static void take_other(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                       struct warp_piece *piece, int first, int count, float value, float *const *out) {
    struct warp_piece part;
    void *const to[4] = {out[0], out[1], out[2], out[3]};
    size_t size = (size_t)count * sizeof(float);
    part.count = count;
    memcpy(part.from_x, piece->from_x + first, size);
    memcpy(part.from_y, piece->from_y + first, size);
    memcpy(part.weight, piece->weight + first, size);
    weft_warp_piece_any(lane, warp, pixels, WEFT_ROW_F32, &part, value, to);
    memcpy(piece->weight + first, part.weight, size);
}

bool weft_warp_bytes(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, struct warp_piece *piece,
                     float value, void *const *out) {
    const weft_image_info *info = &warp->whole.info;
    int32_t channels = pixels->channels, kinds[WEFT_WARP_PIECE];
    /* With three channels the kernel reads one byte beyond the right pixel. It exists where another pixel follows. */
    int64_t half = warp->spread ? warp->spread / 2 : 1;
    struct weft_warp_limits limits = {.first = (float)(half - 1),
                                      .right = (float)(info->width - half - (channels == 3)),
                                      .bottom = (float)(info->height - half),
                                      .before = (float)-half,
                                      .width = (float)(info->width - 1 + half),
                                      .height = (float)(info->height - 1 + half)};
    if (!takes(warp, pixels))
        return false;
    int asked = warp->border == WEFT_BORDER_CONSTANT ? WEFT_WARP_INSIDE | WEFT_WARP_OUTSIDE : WEFT_WARP_INSIDE;
    int all = lane->kernels->warp_sort(piece->from_x, piece->from_y, &limits, kinds, piece->count) & asked;
    for (int i = 0, n; i < piece->count; i += n) {
        int kind = kinds[i] & asked;
        float *to[4] = {NULL};
        for (n = all ? piece->count : 1; i + n < piece->count && (kinds[i + n] & asked) == kind;)
            n++;
        for (int32_t k = 0; k < channels; k++)
            to[k] = (float *)out[k] + i;
        if (kind == WEFT_WARP_INSIDE && warp->spread)
            weft_warp_spread_bytes(lane, warp, pixels, piece->from_x + i, piece->from_y + i, to, n);
        else if (kind == WEFT_WARP_INSIDE)
            lane->kernels->warp_mix_bytes[channels](pixels->plane[0], pixels->row_bytes, piece->from_x + i,
                                                    piece->from_y + i, to, n);
        else if (kind == WEFT_WARP_OUTSIDE)
            for (int32_t k = 0; k < channels; k++)
                for (int j = 0; j < n; j++)
                    to[k][j] = value;
        else
            take_other(lane, warp, pixels, piece, i, n, value, to);
    }
    return true;
}
