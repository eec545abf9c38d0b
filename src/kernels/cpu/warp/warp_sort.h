/* SPDX-License-Identifier: MIT
 * Where places of a warp lie. */
#ifndef KERNELS_WARP_SORT_H
#define KERNELS_WARP_SORT_H

/* Places from 0 up to right, bottom are inside: the pixels around them are there, and so is what else is read. Those at -1 and
 * before, and at width, height and behind, see no pixel of the image. */
struct weft_warp_limits {
    float right, bottom, width, height;
};
enum { WEFT_WARP_BETWEEN, WEFT_WARP_INSIDE, WEFT_WARP_OUTSIDE }; /* between: neither, as a place that is no number */

#endif
