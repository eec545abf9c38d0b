/* SPDX-License-Identifier: MIT */
#define NAME poisson_step
#define SUMMARY "The colors of both images mixed by the second one's fourth number"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert,opacity=0.5[c];[a][c]poisson_step"
#define INFER like_first
#define PARAMS FLOAT(mix, 0.5, 0, 1, "", "times that number, the share of the second image")
#include "filter/pixel2.h"

BODY {
    float t = over.w * P.mix;
    return rgba(mix(base.x, over.x, t), mix(base.y, over.y, t), mix(base.z, over.z, t), base.w);
}

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
