/* SPDX-License-Identifier: MIT */
#define NAME yuv_encode
#define SUMMARY "Luma, or one plane of chroma at full size, of red, green and blue: a step of rgb_to_yuv"
#define EXAMPLE "yuv_encode=v"
#define CHANNELS PLANE
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    CHOICE(plane, 0, "y|u|v", "luma, blue less luma, or red less luma")                                                \
    YUV_CHOICES YUV_BITS                                                                                               \
    CHOICE(storage, 0, "whole|low", "whole: full scale is the largest sample; low: samples are the lower bits of 16")
#include "filter/pixel.h"
#include "filters/video/yuv_body.h"

BODY {
    float red = weight_of_red(P.matrix), blue = weight_of_blue(P.matrix), green = 1.0f - red - blue;
    float most = largest_sample(P.bits), unit = P.storage == 0 ? most : 65535.0f;
    float y = weighted(c, red, green, blue);
    float part = P.plane == 1 ? 0.5f * (c.z - y) / (1.0f - blue) : 0.5f * (c.x - y) / (1.0f - red);
    float luma = y * luma_steps(P.range, P.bits) + black_sample(P.range, P.bits);
    float chroma = part * chroma_steps(P.range, P.bits) + grey_sample(P.bits);
    float held = clamp(P.plane == 0 ? luma : chroma, 0.0f, most) / unit;
    return rgba(held, held, held, 1.0f);
}
