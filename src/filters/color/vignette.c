/* SPDX-License-Identifier: MIT */
#define NAME vignette
#define SUMMARY "Fade to a color away from a place, as old lenses do"
#define EXAMPLE "vignette=start=0.25:end=0.7"
#define TOLERANCE 1
#define PLACED true
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    COLOR(color, 0, 0, 0, 1, 0, 1, "the color of the corners")                                                         \
    FLOAT(start, 0.3, 0, 10, "", "where fading begins, as a share of the image's sides")                               \
    FLOAT(end, 0.75, 0, 10, "", "where it ends")                                                                       \
    BOOL(aspect_correct, 0, "a circle, in shares of the width, rather than an ellipse")
#include "filter/pixel.h"

BODY {
    float u = (to_float(at.x) + 0.5f) / to_float(at.width) - P.center[0];
    float v = (to_float(at.y) + 0.5f) / to_float(at.height) - P.center[1];
    float y = P.aspect_correct != 0 ? v * to_float(at.height) / to_float(at.width) : v;
    float t = smoothstep(P.start, P.end, sqrt(u * u + y * y));
    return rgba(mix(c.x, P.color.x, t), mix(c.y, P.color.y, t), mix(c.z, P.color.z, t), c.w);
}
