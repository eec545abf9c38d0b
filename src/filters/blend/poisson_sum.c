/* SPDX-License-Identifier: MIT */
#define NAME poisson_sum
#define SUMMARY "The colors of both images added, and the second one's fourth number"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]poisson_sum,grayscale"
#define CHANNELS COLOR
#define INFER four_numbers
#include "filter/pixel2.h"

BODY { return rgba(base.x + over.x, base.y + over.y, base.z + over.z, over.w); }

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
