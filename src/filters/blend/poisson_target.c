/* SPDX-License-Identifier: MIT */
#define NAME poisson_target
#define SUMMARY "The colors of the first image, and the second one's alpha, as four numbers"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_target,grayscale"
#define CHANNELS COLOR
#define INFER infer
#include "filter/pixel2.h"

BODY { return rgba(base.x, base.y, base.z, over.w); }

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 4;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
