/* SPDX-License-Identifier: MIT
 * Differences of bytes that are equal may differ in their last bits: EQUAL, which is below a step of 16 bits. */
#define NAME poisson_larger
#define SUMMARY "A quarter of the first image less the second, color by color, where the second one is farther from 0"
#define STEP_OF "poisson_blend"
#define EXAMPLE                                                                                                                    \
    "split[a][b];[a]convolve3x3=0|0|0|0|-1|1|0|0|0[c];[b]flip,convolve3x3=0|0|0|0|-1|1|0|0|0[d];[c][d]poisson_larger,"             \
    "brightness=0.5"
#define TOLERANCE 1
#define INFER infer
#include "filter/pixel2.h"

#define EQUAL 1.0e-6f
FN float excess(float source, float own) { return abs(own) > abs(source) + EQUAL ? 0.25f * (source - own) : 0.0f; }
BODY { return rgba(excess(base.x, over.x), excess(base.y, over.y), excess(base.z, over.z), 0.0f); }

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(0)
#endif
