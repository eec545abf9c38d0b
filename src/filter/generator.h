/* SPDX-License-Identifier: MIT
 * Kind: point without an input. The body is `vec4 (place at)`. Every generator has width, height, and channels of the result: 1
 * grey, 3 color, 4 color and straight alpha; but one that defines INFER has none of these parameters and sets the size and format
 * of its result there. */
#define HAS_BODY
#ifndef INFER
#define SIZED
#define KIND_PARAMS                                                                                                    \
    FIXED_INT(width, 256, 1, 2147483647, "px", "width of the result")                                                  \
    FIXED_INT(height, 256, 1, 2147483647, "px", "height of the result")                                                \
    FIXED_INT(channels, 3, 1, 4, "", "1 grey, 2 grey and alpha, 3 color, 4 color and alpha")
#define INFER infer_size
#endif
#define ALPHA STRAIGHT
#define ALPHA_DOC ""
#define PLACED true
#include "filter/template.h"
#define BODY FN vec4 body(place at, BODY_BLOCK P)
BODY;

#if defined(PART_DESCRIPTOR) && defined(SIZED)
static weft_status infer_size(const void *block, const weft_image_info *inputs, weft_image_info *output,
                              weft_error *error) {
    const struct BLOCK *p = block;
    (void)inputs, (void)error;
    output->width = p->width, output->height = p->height;
    output->format.channels = p->channels;
    output->alpha = p->channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif

#define POINT_KIND "generator"
#define POINT_INPUTS 0
#define BODY_OF(a, b) body(at, P)
#include "filter/help/point.h"
