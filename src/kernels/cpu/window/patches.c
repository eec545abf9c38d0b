/* SPDX-License-Identifier: MIT
 * Weights by the similarity of patches, for all pixels of a piece and one offset at a time. The squared differences of the piece
 * and the moved piece are summed down columns, then along rows. Nothing is subtracted from a sum, so that a NaN does not reach
 * beyond its patch. Instead rows form groups as high as a patch, as in van Herk's minimum: a patch is the end of one group, whose
 * sums from below are kept, and the beginning of the next one. The weight of two pixels is the same both ways, so half of the
 * offsets are enough. The data of a loop fits the second-level cache. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/dialect.h"

#define INLINE static inline __attribute__((always_inline))

/* squares[x]: the squared difference of the images from a and from b on. sums[x]: the squares of the group's rows so far. With
 * `below`, the kept sums of the group before, columns[x] is the sum of both. */
INLINE void add_squares(const struct weft_patch_piece *p, int64_t a, int64_t b, int planes, int count, bool first,
                        const float *below, float *restrict squares, float *restrict sums, float *restrict columns) {
    const float *a0 = p->image[0] + a, *a1 = planes > 1 ? p->image[1] + a : a0, *a2 = planes > 1 ? p->image[2] + a : a0;
    const float *b0 = p->image[0] + b, *b1 = planes > 1 ? p->image[1] + b : b0, *b2 = planes > 1 ? p->image[2] + b : b0;
    for (int x = 0; x < count; x++) {
        float d0 = a0[x] - b0[x], sum = d0 * d0;
        if (planes > 1) {
            float d1 = a1[x] - b1[x], d2 = a2[x] - b2[x];
            sum += d1 * d1 + d2 * d2;
        }
        squares[x] = sum;
        sums[x] = sum = first ? sum : sums[x] + sum;
        if (below)
            columns[x] = below[x] + sum;
    }
}

/* weights[x]: the weight of the patch that begins in column x. */
INLINE void weigh(const struct weft_patch_piece *p, const float *restrict columns, int side, int count, float *restrict weights) {
    const float excess = p->excess, scale = p->scale, cutoff = p->cutoff;
    for (int x = 0; x < count; x++) {
        float sum = columns[x];
        for (int k = 1; k < side; k++)
            sum += columns[x + k];
        float away = max(sum - excess, 0.0f) * scale, weight = exp2_near(-1.44269504f * away);
        weights[x] = away > cutoff ? 0.0f : weight;
    }
}
static void weigh_any(const struct weft_patch_piece *p, const float *restrict columns, int count, float *restrict weights,
                      float *restrict sums) {
    for (int x = 0; x < count; x++)
        sums[x] = columns[x];
    for (int k = 1; k <= 2 * p->patch; k++)
        for (int x = 0; x < count; x++)
            sums[x] += columns[x + k];
    weigh(p, sums, 1, count, weights);
}

/* Adds the pixels from `from` on to the sums of a row, by their weights. */
INLINE void take(const struct weft_patch_piece *p, int planes, int row, int64_t from, const float *restrict weights) {
    int64_t at = row * (int64_t)WEFT_PATCH_COLUMNS;
    const float *v0 = p->image[0] + from, *v1 = planes > 1 ? p->image[1] + from : v0, *v2 = planes > 1 ? p->image[2] + from : v0;
    float *restrict total = p->weights + at, *restrict s0 = p->sums[0] + at;
    float *restrict s1 = planes > 1 ? p->sums[1] + at : NULL, *restrict s2 = planes > 1 ? p->sums[2] + at : NULL;
    for (int x = 0; x < p->width; x++) {
        float weight = weights[x];
        total[x] += weight;
        s0[x] += weight * v0[x];
        if (planes > 1) {
            s1[x] += weight * v1[x];
            s2[x] += weight * v2[x];
        }
    }
}

INLINE void weigh_offset(const struct weft_patch_piece *p, int dx, int dy, int planes) {
    const int side = 2 * p->patch + 1, left = dx > 0 ? -dx : 0, count = p->width + (dx > 0 ? dx : -dx);
    const int64_t row = weft_patch_row(p->patch, p->search);
    float *group = p->room, *sums = group + side * row, *columns = sums + row, *weights = columns + row;
    for (int y = -dy - p->patch, k = 0; y < p->height + p->patch; y++, k = k + 1 < side ? k + 1 : 0) {
        int64_t a = y * p->stride + left - p->patch, b = a + dy * p->stride + dx;
        const bool complete = y >= p->patch - dy, whole = k + 1 == side; /* the first group; this one */
        const float *below = complete && !whole ? group + (k + 1) * row : NULL, *from = whole ? sums : columns;
        if (below)
            add_squares(p, a, b, planes, count + 2 * p->patch, k == 0, below, group + k * row, sums, columns);
        else
            add_squares(p, a, b, planes, count + 2 * p->patch, k == 0, NULL, group + k * row, sums, columns);
        if (!complete)
            continue;
        switch (side) {
        case 1: weigh(p, from, 1, count, weights); break;
        case 3: weigh(p, from, 3, count, weights); break;
        case 5: weigh(p, from, 5, count, weights); break;
        case 7: weigh(p, from, 7, count, weights); break;
        default: weigh_any(p, from, count, weights, weights + row); break;
        }
        int center = y - p->patch, other = center + dy;
        if (center >= 0)
            take(p, planes, center, other * p->stride + dx, weights - left);
        if (other < p->height)
            take(p, planes, other, center * p->stride - dx, weights - left - dx);
        for (int i = side - 2; whole && i >= 0; i--) {
            float *restrict here = group + i * row;
            const float *after = here + row;
            for (int x = 0; x < count + 2 * p->patch; x++)
                here[x] += after[x];
        }
    }
}

static void weigh_patches(const struct weft_patch_piece *piece, int dx, int dy) {
    if (piece->planes > 1)
        weigh_offset(piece, dx, dy, 3);
    else
        weigh_offset(piece, dx, dy, 1);
}

void KERNEL(weft_fill_patches)(struct weft_kernels *kernels);
void KERNEL(weft_fill_patches)(struct weft_kernels *kernels) { kernels->weigh_patches = weigh_patches; }
