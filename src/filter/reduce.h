/* SPDX-License-Identifier: MIT
 * Kind: reduce, the whole image to one number per channel or a table of them: an image of bins x 1. The file defines
 * `reduction` (filter/filter.h), and where the table has other channels than the image, INFER. */
#define KIND_DYNAMIC false
#ifndef INFER
#define INFER infer_table
#endif
#ifndef LUMINANCE /* true: of images of several channels their luminance is reduced */
#define LUMINANCE false
#endif
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#ifndef ALPHA_DOC
#define ALPHA_DOC "colors are taken straight and do not count by alpha, which is a channel like them"
#endif
#include "filter/template.h"
static enum weft_reduction reduction(const void *block, int32_t *bins);
static inline weft_status infer_table(const void *block, const weft_image_info *inputs, weft_image_info *output,
                                      weft_error *error) {
    int32_t bins = 1;
    (void)inputs, (void)error;
    reduction(block, &bins);
    output->width = bins, output->height = 1;
    return WEFT_OK;
}
DESCRIPTOR("reduce", 1)
    .kind = WEFT_KIND_REDUCE, .border = -1, .reduction = reduction, .luminance = LUMINANCE };
