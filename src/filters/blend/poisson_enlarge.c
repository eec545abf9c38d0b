/* SPDX-License-Identifier: MIT
 * As resample enlarges, but by two, the last row or column left out where there are odd ones; and as a warp, which reads its input
 * as a whole: a cycle through all grids looks everywhere, so nothing of it can be made row by row from what comes before. */
#define NAME poisson_enlarge
#define SUMMARY "Interpolate between the pixels of a coarser grid, bilinearly"
#define STEP_OF "poisson_blend"
#define EXAMPLE "poisson_enlarge=1000:800"
#define TOLERANCE 1e-5
#define INFER infer
#define PARAMS                                                                                                         \
    FIXED_INT(width, 0, 0, 16777216, "px", "columns of the result; 0 is twice as many as the input's")                 \
    FIXED_INT(height, 0, 0, 16777216, "px", "rows of the result; 0 is twice as many as the input's")
#include "filter/warp.h"

BODY {
    return xy(0.5f * to_float(at.x) - 0.25f, 0.5f * to_float(at.y) - 0.25f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    const struct BLOCK *p = block;
    (void)error;
    output->width = p->width ? p->width : 2 * inputs->width;
    output->height = p->height ? p->height : 2 * inputs->height;
    return WEFT_OK;
}
#endif
