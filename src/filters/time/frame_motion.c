/* SPDX-License-Identifier: MIT */
#define NAME frame_motion
#define SUMMARY "Where two frames differ, a pixel that tells its place in red and green, else nothing"
#define STEP_OF "motion_detect"
#define EXAMPLE "split[a][b];[b]gaussian=8[c];[a][c]frame_motion=0.1"
#define ALPHA_DOC "colors are compared straight; the result's alpha is 1 where there is motion"
#define CHANNELS COLOR
#define INFER infer
#define PLACED true
#define TOLERANCE 1
#define PARAMS FLOAT(threshold, 0.2, 0, 2, "", "least distance of the two colors that is motion")
#include "filter/pixel2.h"

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 4;
    if (output->alpha == WEFT_ALPHA_NONE)
        output->alpha = WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif

BODY {
    float x = over.x - base.x, y = over.y - base.y, z = over.z - base.z;
    bool moved = x * x + y * y + z * z >= P.threshold * P.threshold;
    return rgba((to_float(at.x) + 0.5f) / to_float(at.width), (to_float(at.y) + 0.5f) / to_float(at.height), 1.0f,
                moved ? 1.0f : 0.0f);
}
