/* SPDX-License-Identifier: MIT */
#define NAME mask_highlight
#define SUMMARY "Paint one color where the second image is not black"
#define EXAMPLE "split[a][b];[b]sobel,luminance_threshold=0.8[m];[a][m]mask_highlight"
#define CHANNELS COLOR
#define TOLERANCE 1
#define PARAMS COLOR(color, 1, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "the paint")
#include "filter/pixel2.h"

BODY {
    float on = max(over.x, max(over.y, over.z)) > 0.0f ? 1.0f : 0.0f;
    return rgba(on > 0.0f ? P.color.x : base.x, on > 0.0f ? P.color.y : base.y, on > 0.0f ? P.color.z : base.z,
                on > 0.0f ? P.color.w : base.w);
}
