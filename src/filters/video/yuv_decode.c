/* SPDX-License-Identifier: MIT
 * In limited range luma reaches below black and above white, and not all chroma is that of a color: by default what is
 * outside of red, green and blue from 0 to 1 is limited to it, as everywhere where video is shown. */
#define NAME yuv_decode
#define SUMMARY "Red, green and blue of luma and as much chroma, two channels: a step of yuv_to_rgb"
#define EXAMPLE "split[a][b];[a]yuv_encode=y[y];[b]yuv_encode_chroma[c];[y][c]yuv_decode"
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
    float y = (base.x * unit - black_sample(P.range, P.bits)) / luma_steps(P.range, P.bits);
    float u = (over.x * unit - grey_sample(P.bits)) / chroma_steps(P.range, P.bits);
    float v = (over.w * unit - grey_sample(P.bits)) / chroma_steps(P.range, P.bits);
    float r = y + 2.0f * (1.0f - red) * v, b = y + 2.0f * (1.0f - blue) * u;
    float g = (y - red * r - blue * b) / green;
    float low = P.limit != 0 ? 0.0f : -UNBOUNDED, high = P.limit != 0 ? 1.0f : UNBOUNDED;
    return rgba(clamp(r, low, high), clamp(g, low, high), clamp(b, low, high), base.w);
}
