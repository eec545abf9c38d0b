/* SPDX-License-Identifier: MIT */
#define NAME bilateral_mean
#define SUMMARY "The sums of the second image as means, in the form of the first image"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "split[a][b];[b]gaussian=4[c];[a][c]bilateral_mean=1"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 1
#define PARAMS BOOL(divided, 0, "they are means already; otherwise the last channel divides the others")
#define INFER infer
#include "filter/pixel2.h"

BODY {
    float part = P.divided != 0 ? 1.0f : 1.0f / (over.w > 0.0f ? over.w : 1.0f);
    return rgba(over.x * part, over.y * part, over.z * part, P.divided != 0 ? over.w : 1.0f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    output->alpha = inputs[0].alpha;
    output->format.channels = inputs[0].format.channels;
    return WEFT_OK;
}
#endif
