/* SPDX-License-Identifier: MIT */
#define NAME projective
#define SUMMARY "Show the image through a projective map, mixing the four pixels around each place"
#define STEP_OF "perspective"
#define EXAMPLE "projective=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#include "filters/geometry/projective.h"
#define WITHIN PROJECTIVE_WITHIN
#define PARAMS PROJECTIVE_PARAMS
#include "filter/warp.h"

PROJECTIVE_PLACE
BODY {
    return projective_place(to_float(at.x), to_float(at.y), to_float(at.width), to_float(at.height), source, P);
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
