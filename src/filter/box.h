/* SPDX-License-Identifier: MIT
 * Kind: box, the mean over a rectangle of (2 reach + 1) pixels along each axis. The file defines `reach` and `rounding`
 * (filter/filter.h). Integer formats are summed exactly. */
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#define KIND_DYNAMIC false
#ifndef ALPHA
#define ALPHA PREMULTIPLIED
#endif
#include "filter/template.h"
static int32_t reach(const void *block, enum weft_direction direction);
static enum weft_rounding rounding(const void *block);
DESCRIPTOR("separable", 1)
    .kind = WEFT_KIND_BOX, .border = BORDER_INDEX, .reach = reach, .rounding = rounding };
