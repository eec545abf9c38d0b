/* SPDX-License-Identifier: MIT */
#define NAME posterize
#define SUMMARY "Leave each channel a few levels, evenly apart"
#define EXAMPLE "posterize=4"
#define TOLERANCE 1
#define APART true
#define PARAMS                                                                                                         \
    INT(levels, 10, 2, 256, "", "number of levels")                                                                    \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: one level more, and alpha too")
#include "filter/pixel.h"

BODY {
    float n = to_float(P.compat != 0 ? P.levels : P.levels - 1);
    float a = P.compat != 0 ? floor(c.w * n + 0.5f) / n : c.w;
    return rgba(floor(c.x * n + 0.5f) / n, floor(c.y * n + 0.5f) / n, floor(c.z * n + 0.5f) / n, a);
}
