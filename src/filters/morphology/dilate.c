/* SPDX-License-Identifier: MIT */
#define NAME dilate
#define SUMMARY "Replace each channel by its largest value in the rectangle around the pixel: bright things grow"
#define ALIASES "dilation"
#define EXAMPLE "dilate=4"
#define MAXIMUM 1
#define PARAMS                                                                                                         \
    INT(radius, 1, 0, 10000, "px", "the rectangle is 2 radius + 1 wide; 0 keeps the image")                            \
    AUTO_INT(radius_y, 0, 10000, "px", "and 2 radius_y + 1 high; auto is radius")
#include "filter/extremum.h"

static int32_t reach(const void *block, enum weft_direction direction) {
    const struct BLOCK *p = block;
    return direction == WEFT_X || p->radius_y < 0 ? p->radius : p->radius_y;
}
