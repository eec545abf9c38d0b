/* SPDX-License-Identifier: MIT
 * A pixel's gradient is known where its neighbors are there, too: those at the mask's edge lend theirs and stay as they are. */
#define NAME poisson_inside
#define SUMMARY "1 where the image and its four neighbors are above 0, as a number of f32"
#define STEP_OF "poisson_blend"
#define EXAMPLE "luminance_threshold=0.4,poisson_inside"
#define CHANNELS PLANE
#define TOLERANCE 1
#define LUMINANCE
#define RADIUS 1
#define INFER infer
#include "filter/stencil.h"

BODY {
    float least = min(min(AT(-1, 0), AT(1, 0)), min(min(AT(0, -1), AT(0, 1)), AT(0, 0)));
    return least > 0.0f ? 1.0f : 0.0f;
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format = (weft_format){WEFT_F32, 1};
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
