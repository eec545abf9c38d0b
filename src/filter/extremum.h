/* SPDX-License-Identifier: MIT
 * Kind: extremum, the largest (MAXIMUM 1) or smallest (MAXIMUM 0) over a rectangle of (2 reach + 1) pixels along each
 * axis, per channel. The file defines `reach` (filter/filter.h). */
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#define KIND_DYNAMIC false
#define EXACT true
#define ALPHA STRAIGHT
#define ALPHA_DOC "every channel by itself: colors straight, and alpha like a color"
#include "filter/template.h"
static int32_t reach(const void *block, enum weft_direction direction);
DESCRIPTOR("separable", 1)
    .kind = WEFT_KIND_EXTREMUM, .border = BORDER_INDEX, .maximum = MAXIMUM, .reach = reach };
