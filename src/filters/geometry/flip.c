/* SPDX-License-Identifier: MIT */
#define NAME flip
#define SUMMARY "Mirror the image left to right, top to bottom, or both ways, which turns it by 180 degrees"
#define ALIASES "hflip"
#define EXAMPLE "flip"
#define EXACT true
#define BORDERLESS
#define PARAMS CHOICE(axis, 0, "x|y|both", "x exchanges left and right, y top and bottom")
#define ALPHA_DOC "pixels are moved as they are, transparent ones with their colors"
#include "filter/resample.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    int32_t which = ((const struct BLOCK *)block)->axis;
    bool turn = which == 2 || which == (direction == WEFT_X ? 0 : 1);
    return weft_axis_pick(turn ? size - 1 : 0, turn ? -1 : 1, size, table, error);
}
