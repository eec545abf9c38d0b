/* SPDX-License-Identifier: MIT */
#define NAME box
#define SUMMARY "Replace each pixel by the mean of the rectangle around it"
#define ALIASES "box_blur boxblur avgblur"
#define EXAMPLE "box=8"
#define EXACT true
#define PARAMS                                                                                                         \
    INT(radius, 1, 0, 10000, "px", "the rectangle is 2 radius + 1 wide; 0 keeps the image")                            \
    AUTO_INT(radius_y, 0, 10000, "px", "and 2 radius_y + 1 high; auto is radius")                                      \
    CHOICE(rounding, 0, "nearest|down", "how means end in integer formats; down drops the fraction at once")
#include "filter/box.h"

static int32_t reach(const void *block, enum weft_direction direction) {
    const struct BLOCK *p = block;
    return direction == WEFT_X || p->radius_y < 0 ? p->radius : p->radius_y;
}
static enum weft_rounding rounding(const void *block) {
    return ((const struct BLOCK *)block)->rounding == 0 ? WEFT_ROUND_NEAREST : WEFT_ROUND_DOWN;
}
