/* SPDX-License-Identifier: MIT
 * Kind: rank, the middle of the sorted values of a square of (2 reach + 1) pixels, per channel: of n values that count, the
 * one at place n / 2 from 0 upwards. The file defines `reach` (filter/filter.h). */
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#define KIND_DYNAMIC false
#define EXACT true
#define ALPHA STRAIGHT
#define ALPHA_DOC "every channel by itself: colors straight, and alpha like a color"
#include "filter/template.h"
static int32_t reach(const void *block, enum weft_direction direction);
DESCRIPTOR("window", 1)
    .kind = WEFT_KIND_RANK, .border = BORDER_INDEX, .reach = reach };
