/* SPDX-License-Identifier: MIT */
#define NAME kuwahara_show
#define SUMMARY "The colors of the second image in the form of the first, whose alpha is kept"
#define STEP_OF "kuwahara"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]kuwahara_show"
#define INFER like_first
#include "filter/pixel2.h"

BODY { return rgba(over.x, over.y, over.z, base.w); }

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
