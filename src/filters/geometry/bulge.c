/* SPDX-License-Identifier: MIT */
#define NAME bulge
#define SUMMARY "Magnify or shrink what lies in a circle, as through a lens"
#define ALIASES "bulge_distortion"
#define EXAMPLE "bulge=0.55|0.4:0.35:0.5"
#define TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.25, 0, 10, "", "of the circle, as a share of the image's width")                                   \
    FLOAT(scale, 0.5, -1, 1, "", "0 keeps the image, above 0 magnifies, below shrinks")
#include "filter/warp.h"

BODY {
    float dx = to_float(at.x) + 0.5f - P.center[0] * to_float(at.width);
    float dy = to_float(at.y) + 0.5f - P.center[1] * to_float(at.height);
    float apart = sqrt(dx * dx + dy * dy) / to_float(at.width);
    float nearer = 1.0f - P.scale * (P.radius - apart) / (P.radius > 0.0f ? P.radius : 1.0f);
    float change = apart < P.radius ? nearer * nearer - 1.0f : 0.0f;
    return xy(to_float(at.x) + dx * change, to_float(at.y) + dy * change);
}
