/* SPDX-License-Identifier: MIT */
#define NAME poisson_add
#define SUMMARY "Add the second image where the fourth number of the first is above 0"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_add=0.5,grayscale"
#define TOLERANCE 1
#define INFER infer
#define PARAMS FLOAT(scale, 1, 0, 8, "", "factor of what is added")
#include "filter/pixel2.h"

BODY {
    float t = base.w > 0.0f ? P.scale : 0.0f;
    return rgba(base.x + t * over.x, base.y + t * over.y, base.z + t * over.z, base.w);
}

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(1)
#endif
