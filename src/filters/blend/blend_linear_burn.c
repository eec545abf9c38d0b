/* SPDX-License-Identifier: MIT */
#define NAME blend_linear_burn
#define SUMMARY "Add two images and take 1 away: darker by as much as the second is from white"
#define SOURCE "the sum less 1, composited as W3C Compositing and Blending Level 1 does"
#define EXAMPLE "split[a][b];[b]brightness=0.3[c];[a][c]blend_linear_burn"
#define COMPAT_ALPHA ba
#include "filter/blend.h"

BODY { return clamp(b + s - 1.0f, 0.0f, 1.0f); }
COMPAT { return clamp(b + s - 1.0f, 0.0f, 1.0f); }
