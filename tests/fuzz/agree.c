/* SPDX-License-Identifier: MIT
 * How far a device may be from the reference is measured: the reference runs again on inputs that differ by a
 * little. Where its own result moves, as next to a threshold, so may the device's. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "graphs.h"

#define MOVED 8.0 /* times what the reference moves */
#define ROUGH 0.5 /* of the numbers may be elsewhere where a filter jumps, or divides by what may be nothing */

bool same_bytes(const struct picture *a, const struct picture *b) {
    const weft_image_info *info = &a->image.info;
    for (int64_t y = 0; y < info->height; y++)
        if (memcmp((const char *)a->image.data + y * a->image.stride, (const char *)b->image.data + y * b->image.stride,
                   (size_t)info->width * weft_format_size(info->format)) != 0)
            return false;
    return true;
}

/* How far results may be apart at a place: by how much the reference moves there and beside it; `expected` NULL: `other` is by how
 * much. */
static double moved(const struct picture *expected, const struct picture *other, int64_t x, int64_t y, int32_t c) {
    const weft_image_info *info = &other->image.info;
    double most = 0;
    for (int64_t j = y - 1; j <= y + 1; j++)
        for (int64_t i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < info->width && j < info->height) {
                double by = fabs(picture_get(other, i, j, c) - (expected ? picture_get(expected, i, j, c) : 0));
                most = by > most || isnan(by) ? by : most;
            }
    return most;
}

bool agree(struct fuzz *fuzz, const struct graph *g, int32_t node, const struct picture *got,
           const struct picture *expected, const struct picture *others, const struct picture *rounded, char *why,
           size_t size) {
    const weft_image_info *info = &got->image.info;
    double tolerance = 0;
    bool rough = false, wild = false;
    for (int32_t n = 0; n <= node; n++)
        if (g->nodes[node].made_of >> n & 1) {
            tolerance += g->nodes[n].tolerance;
            rough = rough || g->nodes[n].rough, wild = wild || g->nodes[n].wild;
        }
    double steps = type_steps(info->format.type), apart = 0, worst = 0;
    int64_t numbers = info->width * info->height * info->format.channels;
    why[0] = 0;
    for (int64_t y = 0; y < info->height; y++)
        for (int64_t x = 0; x < info->width; x++)
            for (int32_t c = 0; c < info->format.channels; c++) {
                double is = picture_get(got, x, y, c), want = picture_get(expected, x, y, c);
                double by = 0;
                for (int32_t k = 0; k < MOVES + (rounded != NULL); k++) {
                    double most = k < MOVES ? moved(expected, &others[k * OUTPUTS], x, y, c) : moved(NULL, rounded, x, y, c);
                    by = most > by || isnan(most) ? most : by;
                }
                double size_of = fmax(1, fabs(want));
                double allowed = (1e-5 + 4 * tolerance) * size_of + MOVED * by;
                /* A color matters as much as its alpha: it may have been divided by it. */
                if (info->alpha == WEFT_ALPHA_STRAIGHT && c < info->format.channels - 1)
                    allowed /= fmin(1, fmax(1e-6, picture_get(expected, x, y, info->format.channels - 1)));
                if (steps > 0)
                    want = isnan(want) ? 0 : fmin(fmax(want, 0), 1), allowed += 0.502 / steps;
                if (info->format.type == WEFT_F16)
                    allowed += half_spacing(want);
                fuzz->numbers++;
                fuzz->loose += allowed > 0.02 * size_of;
                if (!isfinite(want) || isnan(allowed) || (info->format.type == WEFT_F16 && fabs(want) > 60000))
                    continue;
                double difference = fabs(is - want);
                if (difference <= allowed)
                    continue;
                apart++;
                if (!(difference - allowed <= worst)) {
                    worst = difference - allowed;
                    snprintf(why, size, "%lld,%lld channel %d is %.9g, not %.9g +- %.3g", (long long)x, (long long)y,
                             (int)c, is, want, allowed);
                }
            }
    if (wild || (rough && apart <= ROUGH * (double)numbers + 2))
        return true;
    if (apart > 0)
        snprintf(why + strlen(why), size - strlen(why), ", %.0f of %lld", apart, (long long)numbers);
    return apart == 0;
}
