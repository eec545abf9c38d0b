/* SPDX-License-Identifier: MIT */
#define NAME ssim_structure
#define SUMMARY "From a local covariance and the sum of two variances, how alike two structures are"
#define STEP_OF "compare"
#define SOURCE "Wang, Bovik, Sheikh and Simoncelli 2004"
#define EXAMPLE "gaussian=4,split[a][b];[a][b]ssim_structure"
#define TOLERANCE 1e-3
#include "filter/pixel2.h"

FN float alike(float both, float sum) { return (2.0f * both + 9e-4f) / (max(sum, 0.0f) + 9e-4f); }
BODY { return rgba(alike(base.x, over.x), alike(base.y, over.y), alike(base.z, over.z), base.w); }
