/* SPDX-License-Identifier: MIT */
#define NAME luminance_range
#define SUMMARY "Move all luminances towards the middle; colors keep their differences"
#define EXAMPLE "luminance_range=0.6"
#define AFFINE true
#define PARAMS FLOAT(reduction, 0.6, 0, 1, "", "0 keeps the image, 1 gives all the same luminance")
#include "filter/pixel.h"

BODY {
    float change = (0.5f - luminance(c)) * P.reduction;
    return rgba(c.x + change, c.y + change, c.z + change, c.w);
}
