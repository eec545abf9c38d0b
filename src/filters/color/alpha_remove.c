/* SPDX-License-Identifier: MIT */
#define NAME alpha_remove
#define SUMMARY "The colors alone, as if all were opaque; an image without alpha stays as it is"
#define EXAMPLE "opacity=0.5,alpha_remove"
#define ROLE ALPHA_REMOVE
#define ALPHA STRAIGHT
#define ALPHA_DOC "alpha is dropped, and the colors under it stay as they are; the result has none"
#define EXACT true
#define INFER infer
#include "filter/pixel.h"

BODY { return rgba(c.x, c.y, c.z, 1.0f); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    output->format.channels -= inputs->alpha != WEFT_ALPHA_NONE;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
