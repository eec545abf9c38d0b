/* SPDX-License-Identifier: MIT */
#define NAME alpha_copy
#define SUMMARY "The colors of the first image with the alpha of the second"
#define EXAMPLE "split[a][b];[a]invert[c];[b]vignette,opacity=0.5[d];[c][d]alpha_copy"
#define ROLE ALPHA_COPY
#define ALPHA STRAIGHT
#define ALPHA_DOC "colors are taken straight; alpha is that of the second image"
#define EXACT true
#include "filter/pixel2.h"

BODY { return rgba(base.x, base.y, base.z, over.w); }
