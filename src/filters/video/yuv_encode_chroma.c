/* SPDX-License-Identifier: MIT */
#define NAME yuv_encode_chroma
#define SUMMARY "Both planes of chroma at full size, as two channels, of red, green and blue: a step of rgb_to_yuv"
#define EXAMPLE "yuv_encode_chroma,swizzle=0:3:0:3"
#define CHANNELS PAIR
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    YUV_CHOICES YUV_BITS                                                                                               \
    CHOICE(storage, 0, "whole|low", "whole: full scale is the largest sample; low: samples are the lower bits of 16")
#include "filter/pixel.h"
#include "filters/video/yuv_body.h"

BODY {
    float red = weight_of_red(P.matrix), blue = weight_of_blue(P.matrix), green = 1.0f - red - blue;
    float most = largest_sample(P.bits), unit = P.storage == 0 ? most : 65535.0f;
    float y = weighted(c, red, green, blue), steps = chroma_steps(P.range, P.bits), grey = grey_sample(P.bits);
    float u = clamp(0.5f * (c.z - y) / (1.0f - blue) * steps + grey, 0.0f, most) / unit;
    float v = clamp(0.5f * (c.x - y) / (1.0f - red) * steps + grey, 0.0f, most) / unit;
    return rgba(u, u, u, v);
}
