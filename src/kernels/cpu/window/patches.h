/* SPDX-License-Identifier: MIT
 * A piece of an image whose pixels become means over what is around them, weighted by patches (patches.c). */
#ifndef KERNELS_PATCHES_H
#define KERNELS_PATCHES_H
#include <stdint.h>

#define WEFT_PATCH_COLUMNS 256
#define WEFT_PATCH_ROWS 64

struct weft_patch_piece {
    const float *image[3]; /* pixel 0, 0 of the piece; patch + search more on all sides are there */
    int64_t stride;
    float *weights, *sums[3]; /* of each pixel of the piece, a row WEFT_PATCH_COLUMNS after the one above */
    float *room;              /* weft_patch_room(patch, search) floats */
    int32_t planes;           /* 1 or 3 */
    int32_t width, height, patch, search;
    float excess, scale, cutoff; /* (the squares' sum over a patch and planes - excess) * scale is what the cutoff limits */
};

static inline int64_t weft_patch_row(int32_t patch, int32_t search) {
    return WEFT_PATCH_COLUMNS + 2 * (int64_t)patch + search;
}
/* Rows: of each row of a patch, their sums, these with the group before, weights, and sums along rows. */
static inline int64_t weft_patch_room(int32_t patch, int32_t search) {
    return (2 * (int64_t)patch + 5) * weft_patch_row(patch, search);
}

#endif
