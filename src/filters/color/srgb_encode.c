/* SPDX-License-Identifier: MIT */
#define NAME srgb_encode
#define SUMMARY "Turn linear light into stored sRGB values"
#define SOURCE "IEC 61966-2-1; below 0 is 0, above 1 the curve goes on"
#define ROLE ENCODE
#define INFER infer
#include "filter/channel.h"

BODY {
    float light = max(v, 0.0f);
    return light <= 0.0031308f ? 12.92f * light : 1.055f * pow(light, 1.0f / 2.4f) - 0.055f;
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->space = WEFT_SPACE_ENCODED;
    return WEFT_OK;
}
#endif
