/* SPDX-License-Identifier: MIT */
#define NAME poisson_rest
#define SUMMARY "What is left of the second image, a right side, after poisson_mean=residual; 0 where the fourth number is 0"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]grayscale[c];[a][c]poisson_start[x];[x]poisson_mean=result=residual[y];[y][a]poisson_rest"
#define TOLERANCE 1
#define INFER infer
#include "filter/pixel2.h"

BODY {
    return base.w > 0.0f ? rgba(base.x + over.x, base.y + over.y, base.z + over.z, 0.0f) : rgba(0.0f, 0.0f, 0.0f, 0.0f);
}

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(0)
#endif
