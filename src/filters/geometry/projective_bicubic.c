/* SPDX-License-Identifier: MIT */
#define NAME projective_bicubic
#define SUMMARY "Show the image through a projective map, mixing 4 x 4 pixels around each place"
#define STEP_OF "perspective"
#define SOURCE "Keys 1981 with a = -0.5 (Catmull-Rom)"
#define EXAMPLE "projective_bicubic=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#define SEVERAL
#define SPREAD 4
#include "filters/geometry/projective.h"
#define BORDERS PROJECTIVE_BORDERS
#define BORDER_DOC PROJECTIVE_BORDER_DOC
#define WITHIN PROJECTIVE_WITHIN
#define PARAMS PROJECTIVE_SEVERAL_PARAMS
#include "filter/warp.h"

PROJECTIVE_SEVERAL

WEIGHTS {
    float x = away, further = 1.0f + away;
    return rgba((1.5f * x - 2.5f) * x * x + 1.0f, ((-0.5f * further + 2.5f) * further - 4.0f) * further + 2.0f, 0.0f, 0.0f);
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
