/* SPDX-License-Identifier: MIT
 * Kind: patch, the mean over a square around each pixel, weighted by the similarity of the patches around both pixels. The CPU
 * makes the weights of all pixels for one offset at a time. The parameters of a file begin as struct weft_patches and end with
 * those of filter/help/border.h. `expand` (filter/filter.h) builds the same of other filters, for GPUs. */
#include "filter/help/patches.h"
#define EXPAND expand
#define KIND_DYNAMIC false
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#include "filter/template.h"
static int32_t reach(const void *block, enum weft_direction direction) {
    const struct weft_patches *p = block;
    (void)direction;
    return p->search > 0 ? p->patch + p->search : 0; /* the mean of the pixel alone */
}
DESCRIPTOR("window", 1)
    .kind = WEFT_KIND_WINDOW, .border = BORDER_INDEX, .reach = reach };
