/* SPDX-License-Identifier: MIT
 * The channels of what belongs to a level, of an image's channels and of how much that is: all are numbers, and the
 * share is the last where the image has one or three channels; where it has two or four it is made alone. */
#ifndef FILTERS_BLUR_BILATERAL_INFER_H
#define FILTERS_BLUR_BILATERAL_INFER_H

static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    int32_t channels = inputs->format.channels;
    (void)error;
    output->alpha = WEFT_ALPHA_NONE;
    output->format.channels = ((const struct BLOCK *)block)->share_alone ? 1 : channels + channels % 2;
    return WEFT_OK;
}

#endif
