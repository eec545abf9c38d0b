/* SPDX-License-Identifier: MIT */
#define NAME poisson_target
#define SUMMARY "The colors of the first image, and the second one's alpha, as four numbers"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_target,grayscale"
#define CHANNELS COLOR
#define INFER four_numbers
#include "filter/pixel2.h"

BODY { return rgba(base.x, base.y, base.z, over.w); }

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
