/* SPDX-License-Identifier: MIT */
#define NAME projective_nearest
#define SUMMARY "Show the image through a projective map, the nearest pixel of each place"
#define STEP_OF "perspective"
#define EXAMPLE "projective_nearest=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1 /* the nearest of two pixels that are equally near */
#define STEADY_TOLERANCE 1
#define EXACT false
#define INFER infer
#include "filters/geometry/projective.h"
#define PARAMS PROJECTIVE_PARAMS
#include "filter/warp.h"

PROJECTIVE_PLACE
BODY {
    vec2 from = projective_place(to_float(at.x), to_float(at.y), to_float(at.width), to_float(at.height), source, P);
    return xy(floor(from.x + 0.5f), floor(from.y + 0.5f));
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
