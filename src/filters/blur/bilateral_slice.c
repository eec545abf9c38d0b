/* SPDX-License-Identifier: MIT */
#define NAME bilateral_slice
#define SUMMARY "Take of a blurred level, the second image, what belongs to the pixel"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "split[a][b];[b]bilateral_level=1.5:1:share_alone=1,gaussian=4[c];[a][c]bilateral_slice=1.5:1"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 2e-5 /* rounding in a sum of four channels over the least sigma_color; found: 1.96e-5 */
#include "filters/blur/bilateral_params.h"
#define PARAMS BILATERAL_PARAMS
#define INFER infer
#include "filter/pixel2.h"
#include "filters/blur/bilateral_share.h"

BODY {
    float share = BILATERAL_SHARE(base);
    return rgba(share * over.x, share * over.y, share * over.z, share * over.w);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    output->alpha = inputs[1].alpha;
    output->format.channels = inputs[1].format.channels;
    return WEFT_OK;
}
#endif
