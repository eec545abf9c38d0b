/* SPDX-License-Identifier: MIT
 * Lookups see a pixel's colors and not where it is: this makes colors of it. */
#define NAME place_map
#define SUMMARY "Where each pixel is: its column in red, its row in green, counted from 0, and its first channel in blue"
#define EXAMPLE "place_map,exposure=-9"
#define CHANNELS COLOR
#define ALPHA PREMULTIPLIED
#define ALPHA_DOC "reads the first channel over black, where it counts by alpha; the result has none"
#define PLACED true
#define INFER infer
#include "filter/pixel.h"

BODY { return rgba(to_float(at.x), to_float(at.y), c.x, 1.0f); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 3;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
