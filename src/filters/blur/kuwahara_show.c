/* SPDX-License-Identifier: MIT */
#define NAME kuwahara_show
#define SUMMARY "The colors of the second image in the form of the first, whose alpha is kept"
#define STEP_OF "kuwahara"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]kuwahara_show"
#define INFER infer
#include "filter/pixel2.h"

BODY { return rgba(over.x, over.y, over.z, base.w); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    *output = inputs[0];
    return WEFT_OK;
}
#endif
