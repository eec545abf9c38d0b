/* SPDX-License-Identifier: MIT */
#define NAME border_marker
#define SUMMARY "Keep the image's outermost pixels alone; all others become one number"
#define STEP_OF "fill_holes"
#define EXAMPLE "border_marker=1"
#define ALPHA ANY
#define PLACED true
#define PARAMS FLOAT(inside, 3e38, -UNBOUNDED, UNBOUNDED, "", "the number, 1 being full scale")
#include "filter/pixel.h"

BODY {
    bool inner = at.x > 0 && at.y > 0 && at.x < at.width - 1 && at.y < at.height - 1;
    return inner ? rgba(P.inside, P.inside, P.inside, 1.0f) : c;
}
