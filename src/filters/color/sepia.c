/* SPDX-License-Identifier: MIT */
#define NAME sepia
#define SUMMARY "Show the image in the browns of an old print"
#define EXAMPLE "sepia"
#define CHANNELS COLOR
#define AFFINE true
#define PARAMS FLOAT(intensity, 1, 0, 1, "", "0 keeps the image")
#include "filter/pixel.h"

BODY {
    float r = 0.3588f * c.x + 0.7044f * c.y + 0.1368f * c.z, g = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
    float b = 0.2392f * c.x + 0.4696f * c.y + 0.0912f * c.z;
    return rgba(mix(c.x, r, P.intensity), mix(c.y, g, P.intensity), mix(c.z, b, P.intensity), c.w);
}
