/* SPDX-License-Identifier: MIT */
#define NAME poisson_within
#define SUMMARY "The numbers of the first image where the second one is above 0, and 0 elsewhere"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]luminance_threshold=0.4[c];[a][c]poisson_within"
#define TOLERANCE 1
#define INFER infer
#include "filter/pixel2.h"

BODY { return over.x > 0.0f ? base : rgba(0.0f, 0.0f, 0.0f, 0.0f); }

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(0)
#endif
