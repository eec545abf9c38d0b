/* SPDX-License-Identifier: MIT */
#define NAME vibrance
#define SUMMARY "Make pale colors more colorful and leave colorful ones"
#define EXAMPLE "vibrance=0.8"
#define TOLERANCE 1e-5
#define PARAMS FLOAT(vibrance, 0, -1.2, 1.2, "", "0 keeps the image, below 0 pale colors lose theirs")
#include "filter/pixel.h"

BODY {
    float most = max(c.x, max(c.y, c.z)), mean = (c.x + c.y + c.z) * 0.33333333f;
    float share = -3.0f * P.vibrance * (most - mean);
    return rgba(mix(c.x, most, share), mix(c.y, most, share), mix(c.z, most, share), c.w);
}
