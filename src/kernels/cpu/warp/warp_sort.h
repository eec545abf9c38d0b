/* SPDX-License-Identifier: MIT
 * Where places of a warp lie, and what is mixed around them. */
#ifndef KERNELS_WARP_SORT_H
#define KERNELS_WARP_SORT_H
#include <stddef.h>

/* Places from `first` up to right, bottom are inside: the pixels around them are there, and so is what else is read. Those up to
 * `before`, and at width, height and behind, see no pixel of the image. */
struct weft_warp_limits {
    float first, right, bottom, before, width, height;
};
enum { WEFT_WARP_BETWEEN, WEFT_WARP_INSIDE, WEFT_WARP_OUTSIDE }; /* between: neither, as a place that is no number */

#define WEFT_WARP_MOST_SPREAD 6
/* The pixels around `count` places, so many along each axis: their weights, and offsets of their columns and rows. */
struct weft_warp_spread {
    const float *across[WEFT_WARP_MOST_SPREAD], *down[WEFT_WARP_MOST_SPREAD];
    const ptrdiff_t *column[WEFT_WARP_MOST_SPREAD], *row[WEFT_WARP_MOST_SPREAD];
    int pixels, count;
};

#endif
