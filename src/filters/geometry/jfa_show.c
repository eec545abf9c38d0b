/* SPDX-License-Identifier: MIT */
#define NAME jfa_show
#define SUMMARY "The place of the seed that a pixel knows, or how far it is"
#define STEP_OF "jfa_voronoi"
#define EXAMPLE "jfa_seed,jfa_show=distance"
#define PARAMS FIXED_CHOICE(result, 0, "places|distance|square", "what is shown; without a seed 3e38 is how far it is")
#define CHANNELS COLOR
#define ALPHA_DOC "the result has none"
#define INFER infer
#define TOLERANCE 1e-4
#include "filter/pixel.h"

BODY {
    float x = c.x - c.z, y = c.y - c.w, square = c.x >= 0.0f ? x * x + y * y : 3.0e38f;
    float far = P.result == 1 ? sqrt(square) : square;
    return P.result == 0 ? rgba(c.x, c.y, 0.0f, 1.0f) : rgba(far, far, far, 1.0f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)inputs, (void)error;
    output->format.channels = ((const struct BLOCK *)block)->result == 0 ? 3 : 1;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
