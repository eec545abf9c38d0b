/* SPDX-License-Identifier: MIT */
#define NAME shi_tomasi
#define SUMMARY "Find corners: where the smaller eigenvalue of the averaged gradients is a large local maximum"
#define ALIASES "shi_tomasi_corner good_features"
#define SOURCE "Shi and Tomasi 1994"
#define EXAMPLE "split[a][b];[b]shi_tomasi=quality=0.2:result=mask,dilate=1[c];[a][c]blend_add"
#define MEASURE 2
#define OWN_PARAMS
#define SHARPNESS 0
#define SENSITIVITY 3.0 /* its 1.5, which it puts on twice the eigenvalue */
#include "filters/feature/corners.h"
