/* SPDX-License-Identifier: MIT */
#define NAME jfa_seed
#define SUMMARY "The place of a bright pixel, -1 of others, and the own place of each"
#define STEP_OF "jfa_voronoi"
#define EXAMPLE "jfa_seed,jfa_show"
#define CHANNELS COLOR
#define ALPHA_DOC "the result has none"
#define PLACED true
#define INFER four_numbers
#define TOLERANCE 1
#define PARAMS FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels whose first channel is at least this are seeds")
#include "filter/pixel.h"

BODY {
    float x = to_float(at.x), y = to_float(at.y);
    bool seed = c.x >= P.threshold;
    return rgba(seed ? x : -1.0f, seed ? y : -1.0f, x, y);
}

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
