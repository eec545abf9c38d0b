/* SPDX-License-Identifier: MIT
 * What becomes of an image in filters of which several infer the same. To be included where PART_DESCRIPTOR is defined. */

/* Four numbers of each pixel, none of which is alpha. */
static inline weft_status four_numbers(const void *block, const weft_image_info *inputs, weft_image_info *output,
                                       weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 4;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}

/* An image like the first input. */
static inline weft_status like_first(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    *output = inputs[0];
    return WEFT_OK;
}
