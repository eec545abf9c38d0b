/* SPDX-License-Identifier: MIT */
#define NAME poisson_lift
#define SUMMARY "The colors of the first image with the second one added, and its alpha where the second one's last number is not 0"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_lift,grayscale"
#define TOLERANCE 1
#define CHANNELS COLOR
#define INFER infer
#include "filter/pixel2.h"

BODY { return rgba(base.x + over.x, base.y + over.y, base.z + over.z, over.w > 0.0f ? base.w : 0.0f); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format = (weft_format){WEFT_F32, 4};
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
