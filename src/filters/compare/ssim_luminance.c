/* SPDX-License-Identifier: MIT */
#define NAME ssim_luminance
#define SUMMARY "How alike two local means are, 1 at most"
#define STEP_OF "compare"
#define SOURCE "Wang, Bovik, Sheikh and Simoncelli 2004"
#define TOLERANCE 1e-4
#define EXAMPLE "gaussian=4,split[a][b];[b]brightness=0.2[c];[a][c]ssim_luminance"
#include "filter/pixel2.h"

FN float alike(float a, float b) { return (2.0f * a * b + 1e-4f) / (a * a + b * b + 1e-4f); }
BODY { return rgba(alike(base.x, over.x), alike(base.y, over.y), alike(base.z, over.z), base.w); }
