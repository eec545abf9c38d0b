/* SPDX-License-Identifier: MIT */
#define NAME kuwahara_score
#define SUMMARY "A mean, with the variance of the three colors, by a second mean, of squares, as a fourth channel"
#define STEP_OF "kuwahara"
#define EXAMPLE "split[a][b];[a]box=3[m];[b]gamma=2,box=3[s];[m][s]kuwahara_score,grayscale"
#define CHANNELS COLOR
#define INFER infer
#include "filter/pixel2.h"

BODY {
    float spread = abs(over.x - base.x * base.x) + abs(over.y - base.y * base.y) + abs(over.z - base.z * base.z);
    return rgba(base.x, base.y, base.z, spread);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 4;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
