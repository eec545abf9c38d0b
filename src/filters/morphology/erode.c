/* SPDX-License-Identifier: MIT */
#define NAME erode
#define SUMMARY "Replace each channel by its smallest value in the rectangle around the pixel: bright things shrink"
#define ALIASES "erosion"
#define EXAMPLE "erode=4"
#define MAXIMUM 0
#define PARAMS                                                                                                         \
    INT(radius, 1, 0, 10000, "px", "the rectangle is 2 radius + 1 wide; 0 keeps the image")                            \
    AUTO_INT(radius_y, 0, 10000, "px", "and 2 radius_y + 1 high; auto is radius")
#include "filter/extremum.h"

static int32_t reach(const void *block, enum weft_direction direction) {
    const struct BLOCK *p = block;
    return direction == WEFT_X || p->radius_y < 0 ? p->radius : p->radius_y;
}
