/* SPDX-License-Identifier: MIT */
#define NAME opacity
#define SUMMARY "Make the image more transparent"
#define EXAMPLE "opacity=0.5"
#define CHANNELS ADD_ALPHA
#define AFFINE true
#define PARAMS FLOAT(opacity, 1, 0, 1, "", "factor on alpha; 1 keeps the image, 0 makes it invisible")
#include "filter/pixel.h"

BODY { return rgba(c.x, c.y, c.z, c.w * P.opacity); }
