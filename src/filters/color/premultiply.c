/* SPDX-License-Identifier: MIT */
#define NAME premultiply
#define SUMMARY "Multiply the colors by alpha; an image without alpha stays as it is"
#define ROLE PREMULTIPLY
#define ALPHA ANY
#define INFER infer
#include "filter/pixel.h"

BODY { return rgba(c.x * c.w, c.y * c.w, c.z * c.w, c.w); }

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
