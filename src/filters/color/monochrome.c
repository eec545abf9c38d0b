/* SPDX-License-Identifier: MIT */
#define NAME monochrome
#define SUMMARY "Show the image in shades of one color"
#define EXAMPLE "monochrome=1:0.6|0.45|0.3|1"
#define CHANNELS COLOR
#define PARAMS                                                                                                         \
    FLOAT(intensity, 1, 0, 1, "", "0 keeps the image")                                                                 \
    COLOR(color, 0.6, 0.45, 0.3, 1, 0, 1, "the color of a middle grey")
#include "filter/pixel.h"

BODY {
    float y = luminance(c), up = y < 0.5f ? 0.0f : 1.0f, share = y < 0.5f ? 2.0f * y : 2.0f * (1.0f - y);
    float r = up > 0.0f ? 1.0f - share * (1.0f - P.color.x) : share * P.color.x;
    float g = up > 0.0f ? 1.0f - share * (1.0f - P.color.y) : share * P.color.y;
    float b = up > 0.0f ? 1.0f - share * (1.0f - P.color.z) : share * P.color.z;
    return rgba(mix(c.x, r, P.intensity), mix(c.y, g, P.intensity), mix(c.z, b, P.intensity), c.w);
}
