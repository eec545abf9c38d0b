/* SPDX-License-Identifier: MIT */
#define NAME saturation
#define SUMMARY "Move colors away from or towards the grey of the same luminance"
#define EXAMPLE "saturation=1.6"
#define AFFINE true
#define PARAMS FLOAT(saturation, 1, 0, 2, "", "1 keeps the image, 0 makes it grey")
#include "filter/pixel.h"

BODY {
    float y = luminance(c);
    return rgba(mix(y, c.x, P.saturation), mix(y, c.y, P.saturation), mix(y, c.z, P.saturation), c.w);
}
