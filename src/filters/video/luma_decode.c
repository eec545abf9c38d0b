/* SPDX-License-Identifier: MIT */
#define NAME luma_decode
#define SUMMARY "The luma of video as a gray picture, or back: black and white are 0 and 1"
#define EXAMPLE "luma_decode"
#define CHANNELS GREY
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    CHOICE(range, 0, "limited|full", "limited: of 8 bits black is 16 and white 235")                                   \
    YUV_BITS                                                                                                           \
    CHOICE(storage, 0, "whole|low|high",                                                                               \
           "whole: full scale is the largest sample; low and high: samples are the lower or upper bits of 16")         \
    BOOL(encode, 0, "the other way, to samples from the picture")
#include "filter/pixel.h"
#include "filters/video/yuv_body.h"

BODY {
    float unit = full_scale(P.storage, P.bits);
    float black = black_sample(P.range, P.bits), whole = luma_steps(P.range, P.bits);
    float code = clamp(clamp(c.x, 0.0f, 1.0f) * (whole / unit) + black / unit, 0.0f, largest_sample(P.bits) / unit);
    float y = P.encode != 0 ? code : c.x * (unit / whole) - black / whole;
    return rgba(y, y, y, c.w);
}
