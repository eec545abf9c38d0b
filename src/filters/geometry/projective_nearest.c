/* SPDX-License-Identifier: MIT */
#define NAME projective_nearest
#define SUMMARY "Show the image through a projective map, the nearest pixel of each place"
#define STEP_OF "perspective"
#define EXAMPLE "projective_nearest=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1 /* the nearest of two pixels that are equally near */
#define EXACT false
#define INFER infer
#include "filters/geometry/projective.h"
#define WITHIN PROJECTIVE_WITHIN
#define PARAMS PROJECTIVE_PARAMS
#include "filter/warp.h"

PROJECTIVE_PLACE
/* Half way the pixel to the right or below. Many maps have places just half way, but for rounding: 1 / 2048 of a pixel less
 * counts as half way, too, so that every device takes the same pixel. */
FN float nearest_of(float v) { return floor(v + 0.50048828125f); }
BODY {
    vec2 from = projective_place(to_float(at.x), to_float(at.y), to_float(at.width), to_float(at.height), source, P);
    return xy(nearest_of(from.x), nearest_of(from.y));
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
