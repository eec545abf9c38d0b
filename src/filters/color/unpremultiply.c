/* SPDX-License-Identifier: MIT */
#define NAME unpremultiply
#define SUMMARY "Divide the colors by alpha, black where alpha is 0; an image without alpha stays as it is"
#define ROLE UNPREMULTIPLY
#define ALPHA ANY
#define INFER infer
#include "filter/pixel.h"

BODY {
    float scale = c.w > 1e-30f ? 1.0f / c.w : 0.0f; /* less is nothing, and its reciprocal no number */
    return rgba(c.x * scale, c.y * scale, c.z * scale, c.w);
}

#ifdef PART_DESCRIPTOR
/* An image said to be straight is divided too: files often hold premultiplied colors and do not say so. */
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    if (inputs->alpha != WEFT_ALPHA_NONE)
        output->alpha = WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif
