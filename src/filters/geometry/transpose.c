/* SPDX-License-Identifier: MIT */
#define NAME transpose
#define SUMMARY "Swap rows and columns; the flips then turn by 90 degrees"
#define EXAMPLE "transpose=flip_x=1"
#define PARAMS                                                                                                         \
    BOOL(flip_x, 0, "mirror the result left to right: with it, a turn clockwise")                                      \
    BOOL(flip_y, 0, "mirror the result top to bottom: with it, a turn counterclockwise")
#define INFER infer
#define NEAREST
#define BORDERLESS
#define GRID true
#define ALPHA_DOC "pixels are moved as they are, transparent ones with their colors"
#include "filter/warp.h"

BODY {
    return xy(to_float(P.flip_y != 0 ? at.height - 1 - at.y : at.y), to_float(P.flip_x != 0 ? at.width - 1 - at.x : at.x));
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    output->width = inputs->height, output->height = inputs->width;
    return WEFT_OK;
}
#endif
