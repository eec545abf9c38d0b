/* SPDX-License-Identifier: MIT */
#define NAME srgb_decode
#define SUMMARY "Turn stored sRGB values into linear light"
#define SOURCE "IEC 61966-2-1; below 0 is 0, above 1 the curve goes on"
#define ROLE DECODE
#define INFER infer
#include "filter/channel.h"

BODY {
    float stored = max(v, 0.0f);
    return stored <= 0.04045f ? stored / 12.92f : pow((stored + 0.055f) / 1.055f, 2.4f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block;
    if (inputs->space == WEFT_SPACE_LINEAR)
        return weft_fail(error, WEFT_ERROR_FORMAT, "the colors are linear light already");
    output->space = WEFT_SPACE_LINEAR;
    return WEFT_OK;
}
#endif
