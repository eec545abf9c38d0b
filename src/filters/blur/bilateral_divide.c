/* SPDX-License-Identifier: MIT */
#define NAME bilateral_divide
#define SUMMARY "Divide all channels by the first one of the second image"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "split[a][b];[b]gaussian=16,brightness=0.3[c];[a][c]bilateral_divide"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 1
#include "filter/pixel2.h"

BODY {
    float over_one = 1.0f / (over.x > 0.0f ? over.x : 1.0f);
    return rgba(base.x * over_one, base.y * over_one, base.z * over_one, base.w * over_one);
}
