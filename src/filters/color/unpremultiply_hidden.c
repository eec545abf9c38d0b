/* SPDX-License-Identifier: MIT */
#define NAME unpremultiply_hidden
#define SUMMARY "Divide the colors by alpha, and set it to 0 where it is next to nothing"
#define STEP_OF "unpremultiply"
#define ROLE UNPREMULTIPLY_HIDDEN
#define ALPHA ANY
#define INFER infer
#include "filter/pixel.h"
#include "filter/help/hidden.h"

BODY {
    float scale = c.w > 1e-35f ? 1.0f / c.w : 0.0f; /* less is nothing, and its reciprocal no number */
    return rgba(c.x * scale, c.y * scale, c.z * scale, seen_alpha(c.w));
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    if (inputs->alpha != WEFT_ALPHA_NONE)
        output->alpha = WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif
