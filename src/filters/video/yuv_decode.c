/* SPDX-License-Identifier: MIT
 * In limited range luma reaches below black and above white, and not all chroma is that of a color: by default what is
 * outside of red, green and blue from 0 to 1 is limited to it, as everywhere where video is shown. */
#define NAME yuv_decode
#define SUMMARY "Red, green and blue of luma and as much chroma, two channels"
#define STEP_OF "yuv_to_rgb"
#define EXAMPLE "split[a][b];[a]yuv_encode,take_channel[y];[b]yuv_encode,yuv_chroma[c];[y][c]yuv_decode"
#define CHANNELS COLOR
#define TOLERANCE 1e-5
#include "filters/video/yuv.h"
#define PARAMS                                                                                                         \
    YUV_CHOICES YUV_BITS                                                                                               \
    CHOICE(storage, 0, "whole|low|high",                                                                               \
           "whole: full scale is the largest sample; low and high: samples are the lower or upper bits of 16")         \
    BOOL(limit, 1, "limit colors to what can be shown")
#include "filter/pixel2.h"
#include "filters/video/yuv_body.h"

BODY {
    float unit = full_scale(P.storage, P.bits);
    float red = weight_of_red(P.matrix), blue = weight_of_blue(P.matrix), green = 1.0f - red - blue;
    float luma = luma_steps(P.range, P.bits), chroma = chroma_steps(P.range, P.bits);
    float most = largest_in(P.storage, P.bits);
    float y_scale = 1.0f / luma, y_black = black_sample(P.range, P.bits) / luma;
    float c_scale = 1.0f / chroma, c_grey = grey_sample(P.bits) / chroma;
    float to_red = 2.0f * (1.0f - red), to_blue = 2.0f * (1.0f - blue);
    float red_to_green = to_red * red / green, blue_to_green = to_blue * blue / green;
    float low = -beyond(P.limit), high = 1.0f + beyond(P.limit);
    float y = min(base.x * unit, most) * y_scale - y_black;
    float u = min(over.x * unit, most) * c_scale - c_grey, v = min(over.w * unit, most) * c_scale - c_grey;
    float r = y + to_red * v, g = y - red_to_green * v - blue_to_green * u, b = y + to_blue * u;
    return rgba(clamp(r, low, high), clamp(g, low, high), clamp(b, low, high), base.w);
}
