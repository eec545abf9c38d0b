/* SPDX-License-Identifier: MIT
 * What the steps of poisson_blend infer: numbers of f32, one for each color of the first input, and EXTRA more. They are no
 * picture, and have no alpha. An image of one color and an extra number is a pair: bodies see the extra one as alpha. */
#ifndef FILTERS_BLEND_POISSON_INFER_H
#define FILTERS_BLEND_POISSON_INFER_H

static inline int32_t poisson_colors(const weft_image_info *info) {
    return info->format.channels - (info->alpha != WEFT_ALPHA_NONE) >= 3 ? 3 : 1;
}
#define POISSON_INFER(EXTRA)                                                                                           \
    static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output,               \
                             weft_error *error) {                                                                      \
        (void)block, (void)error;                                                                                      \
        output->format = (weft_format){WEFT_F32, poisson_colors(inputs) + EXTRA};                                      \
        output->alpha = WEFT_ALPHA_NONE;                                                                               \
        return WEFT_OK;                                                                                                \
    }

#endif
