/* SPDX-License-Identifier: MIT */
#define NAME blend_alpha
#define SUMMARY "Lay the second image over the first by its alpha times a factor"
#define EXAMPLE "split[a][b];[b]sobel[c];[a][c]blend_alpha=0.6"
#define OPACITY mix
#define PARAMS FLOAT(mix, 0.5, 0, 1, "", "scales the alpha of the second input")
#define COMPAT_ALPHA ba
#define MEAN
#include "filter/blend.h"

BODY { return s; }
COMPAT { return mix(b, s, sa); }
