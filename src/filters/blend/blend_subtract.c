/* SPDX-License-Identifier: MIT */
#define NAME blend_subtract
#define SUMMARY "Take the second image away from the first, at least black"
#define EXAMPLE "split[a][b];[b]gaussian=8[low];[a][low]blend_subtract"
#define COMPAT_ALPHA ba
#include "filter/blend.h"

BODY { return max(0.0f, b - s); }
COMPAT { return b - s; }
