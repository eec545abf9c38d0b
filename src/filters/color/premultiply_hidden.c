/* SPDX-License-Identifier: MIT */
#define NAME premultiply_hidden
#define SUMMARY "Multiply the colors by alpha, those of hidden pixels by next to nothing"
#define STEP_OF "premultiply"
#define ROLE PREMULTIPLY_HIDDEN
#define ALPHA ANY
#define INFER infer
#include "filter/pixel.h"
#include "filter/help/hidden.h"

BODY {
    float alpha = c.w == 0.0f ? HIDDEN_ALPHA : c.w;
    return rgba(c.x * alpha, c.y * alpha, c.z * alpha, alpha);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block;
    if (inputs->alpha == WEFT_ALPHA_PREMULTIPLIED)
        return weft_fail(error, WEFT_ERROR_FORMAT, "the colors are multiplied by alpha already");
    if (inputs->alpha == WEFT_ALPHA_STRAIGHT)
        output->alpha = WEFT_ALPHA_PREMULTIPLIED;
    return WEFT_OK;
}
#endif
