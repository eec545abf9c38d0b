/* SPDX-License-Identifier: MIT */
#define NAME blend_difference
#define SUMMARY "The difference of two images, without its sign: black where they are the same"
#define EXAMPLE "split[a][b];[b]gaussian=6[c];[a][c]blend_difference,exposure=2"
#define COMPAT_ALPHA ba
#include "filter/blend.h"

BODY { return abs(b - s); }
COMPAT { return abs(s - b); }
