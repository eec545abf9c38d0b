/* SPDX-License-Identifier: MIT
 * What becomes of an image's form of alpha: INFER of filters that multiply colors by it, and of those that divide. */
#ifdef PART_DESCRIPTOR
static inline weft_status multiplied(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block;
    if (inputs->alpha == WEFT_ALPHA_PREMULTIPLIED)
        return weft_fail(error, WEFT_ERROR_FORMAT, "the colors are multiplied by alpha already");
    if (inputs->alpha == WEFT_ALPHA_STRAIGHT)
        output->alpha = WEFT_ALPHA_PREMULTIPLIED;
    return WEFT_OK;
}

/* An image said to be straight is divided too: files often hold premultiplied colors and do not say so. */
static inline weft_status divided(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    if (inputs->alpha != WEFT_ALPHA_NONE)
        output->alpha = WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif
