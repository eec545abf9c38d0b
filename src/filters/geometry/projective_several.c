/* SPDX-License-Identifier: MIT */
#define NAME projective_several
#define SUMMARY "Show the image through a projective map, by several places a pixel"
#define STEP_OF "perspective"
#define EXAMPLE "projective_several=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#define SEVERAL
#include "filters/geometry/projective.h"
#define BORDERS PROJECTIVE_BORDERS
#define BORDER_DOC PROJECTIVE_BORDER_DOC
#define WITHIN PROJECTIVE_WITHIN
#define PARAMS PROJECTIVE_SEVERAL_PARAMS
#include "filter/warp.h"

PROJECTIVE_SEVERAL

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
