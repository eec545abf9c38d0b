/* SPDX-License-Identifier: MIT */
#define NAME poisson_sum
#define SUMMARY "The colors of both images added, and the second one's fourth number"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_sum,grayscale"
#define CHANNELS COLOR
#define INFER infer
#include "filter/pixel2.h"

BODY { return rgba(base.x + over.x, base.y + over.y, base.z + over.z, over.w); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 4;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
