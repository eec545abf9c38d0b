/* SPDX-License-Identifier: MIT */
#define NAME noble
#define SUMMARY "Find corners: where det M / trace M of the averaged gradients M is a large local maximum"
#define ALIASES "noble_corner"
#define SOURCE "Noble 1989"
#define EXAMPLE "split[a][b];[b]noble=quality=0.2:result=mask,dilate=1[c];[a][c]blend_add"
#define MEASURE 1
#define OWN_PARAMS
#define SHARPNESS 0
#define SENSITIVITY 5.0
#include "filters/feature/corners.h"
