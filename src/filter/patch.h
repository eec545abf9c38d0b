/* SPDX-License-Identifier: MIT
 * Kinds of windows without a body. `expand` (filter/filter.h) builds the same of other filters, for devices that have no kernel
 * for it. The parameters of a file end with those of filter/help/border.h.
 *
 * Patch: the mean over a square around each pixel, weighted by the similarity of the patches around both pixels. The CPU makes the
 * weights of all pixels for one offset at a time. The parameters begin as struct weft_patches.
 *
 * With SQUARES true: the mean of that of four squares, each of which has the pixel at a corner, in which colors vary least: of the
 * first such one, top left, top right, bottom left, bottom right. How much they vary is the sum of the colors' variances. GPUs have
 * kernels for it. The parameters begin as struct weft_squares.
 *
 * With GUIDED true: the guided filter of an image by itself, which has no border. GPUs have kernels for it. The parameters begin as
 * struct weft_guided. */
#include "filter/help/patches.h"
#define EXPAND expand
#define KIND_DYNAMIC false
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#ifndef SQUARES
#define SQUARES false
#endif
#ifndef GUIDED
#define GUIDED false
#endif
#ifndef BORDER_INDEX
#define BORDER_INDEX (-1)
#endif
#include "filter/template.h"
static int32_t reach(const void *block, enum weft_direction direction) {
    const struct weft_patches *p = block;
    (void)direction;
    if (SQUARES)
        return ((const struct weft_squares *)block)->radius;
    if (GUIDED)
        return 2 * ((const struct weft_guided *)block)->radius;
    return p->search > 0 ? p->patch + p->search : 0; /* the mean of the pixel alone */
}
DESCRIPTOR("window", 1)
    .kind = WEFT_KIND_WINDOW, .border = BORDER_INDEX, .reach = reach, .squares = SQUARES, .guided = GUIDED };
