/* SPDX-License-Identifier: MIT
 * By default colors are limited to what can be shown, as they are where pictures are stored. */
#define NAME yuv_encode
#define SUMMARY "Luma and both planes of chroma, at full size, as three channels"
#define STEP_OF "rgb_to_yuv"
#define EXAMPLE "yuv_encode"
#define CHANNELS COLOR
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    YUV_CHOICES YUV_BITS                                                                                               \
    CHOICE(storage, 0, "whole|low", "whole: full scale is the largest sample; low: samples are the lower bits of 16")  \
    BOOL(limit, 1, "limit colors to what can be shown")
#include "filter/pixel.h"
#include "filters/video/yuv_body.h"

BODY {
    float red = weight_of_red(P.matrix), blue = weight_of_blue(P.matrix), green = 1.0f - red - blue;
    float unit = full_scale(P.storage, P.bits), most = largest_sample(P.bits) / unit;
    float y_scale = luma_steps(P.range, P.bits) / unit, y_black = black_sample(P.range, P.bits) / unit;
    float chroma = chroma_steps(P.range, P.bits) / unit, grey = grey_sample(P.bits) / unit;
    float u_scale = 0.5f / (1.0f - blue) * chroma, v_scale = 0.5f / (1.0f - red) * chroma;
    float low = -beyond(P.limit), high = 1.0f + beyond(P.limit);
    float r = clamp(c.x, low, high), g = clamp(c.y, low, high), b = clamp(c.z, low, high);
    float y = red * r + green * g + blue * b;
    return rgba(clamp(y * y_scale + y_black, 0.0f, most), clamp((b - y) * u_scale + grey, 0.0f, most),
                clamp((r - y) * v_scale + grey, 0.0f, most), c.w);
}
