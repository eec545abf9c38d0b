/* SPDX-License-Identifier: MIT */
#define NAME harris
#define SUMMARY "Find corners: where det M - k trace(M)^2 of the averaged gradients M is a large local maximum"
#define ALIASES "harris_corner"
#define SOURCE "Harris and Stephens 1988"
#define EXAMPLE "split[a][b];[b]harris=quality=0.05:result=mask,dilate=1[c];[a][c]blend_add"
#define MEASURE 0
#define OWN_PARAMS FLOAT(k, 0.04, 0, 0.25, "", "larger leaves out more of what is nearly an edge")
#define SHARPNESS p->k
#define SENSITIVITY 5.0
#include "filters/feature/corners.h"
