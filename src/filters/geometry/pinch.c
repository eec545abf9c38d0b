/* SPDX-License-Identifier: MIT
 * compat=gpuimage measures y about the middle of the image and falls off over 1/2 whatever the radius. */
#define NAME pinch
#define SUMMARY "Draw what lies in a circle towards its middle, or push it out"
#define ALIASES "pinch_distortion"
#define EXAMPLE "pinch=0.55|0.4:0.4:0.6"
#define TOLERANCE 1 /* compat=gpuimage jumps at the circle */
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 1, 0, 10, "", "of the circle, as a share of the image's width")                                      \
    FLOAT(scale, 0.5, -2, 2, "", "0 keeps the image, above 0 draws in, below pushes out")                              \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: that library's formula, which jumps at the circle")
#include "filter/warp.h"

BODY {
    float dx = to_float(at.x) + 0.5f - P.center[0] * to_float(at.width);
    float dy = to_float(at.y) + 0.5f - P.center[1] * to_float(at.height);
    float wide = to_float(at.width), high = to_float(at.height);
    float y = P.compat != 0 ? dy + (P.center[1] - 0.5f) * (high - wide) : dy;
    float apart = sqrt(dx * dx + y * y) / wide, over = P.compat != 0 ? 0.5f : (P.radius > 0.0f ? P.radius : 1.0f);
    float change = apart < P.radius ? P.scale * (over - apart) / over : 0.0f;
    return xy(to_float(at.x) + dx * change, to_float(at.y) + dy * change);
}
