/* SPDX-License-Identifier: MIT
 * Outside the shape the second image, inside the first, and between them a smooth change over `fall_off`. */
#define NAME focus_mix
#define SUMMARY "Show the first image inside a circle or a band, the second outside"
#define STEP_OF "tilt_shift"
#define EXAMPLE "split[a][b];[b]gaussian=6[c];[a][c]focus_mix"
#define ALPHA HIDDEN
#define TOLERANCE 1 /* where the change is a jump */
#define STEADY_TOLERANCE 2e-5
#define PLACED true
#define PARAMS                                                                                                         \
    CHOICE(shape, 0, "circle|band", "a circle around the center, or all rows from top to bottom")                      \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "of the circle, from 0|0 at the top left to 1|1")              \
    FLOAT(radius, 0.25, 0, 10, "", "of the circle, as a share of the image's width")                                   \
    FLOAT(top, 0.4, -10, 10, "", "first row of the band, as a share of the image's height")                            \
    FLOAT(bottom, 0.6, -10, 10, "", "its last row")                                                                    \
    FLOAT(fall_off, 0.1, 0, 10, "", "width of the change: outside the band, inside the circle")
#include "filter/pixel2.h"

FN float circle(float distance, float radius, float fall_off) { return smoothstep(radius - fall_off, radius, distance); }
FN float band(float v, float top, float bottom, float fall_off) {
    return 1.0f - smoothstep(top - fall_off, top, v) + smoothstep(bottom, bottom + fall_off, v);
}
BODY {
    float x = (to_float(at.x) + 0.5f) - P.center[0] * to_float(at.width);
    float y = (to_float(at.y) + 0.5f) - P.center[1] * to_float(at.height);
    float v = (to_float(at.y) + 0.5f) / to_float(at.height);
    float round = circle(sqrt(x * x + y * y) / to_float(at.width), P.radius, P.fall_off);
    float t = P.shape == 0 ? round : clamp(band(v, P.top, P.bottom, P.fall_off), 0.0f, 1.0f);
    return rgba(mix(base.x, over.x, t), mix(base.y, over.y, t), mix(base.z, over.z, t), mix(base.w, over.w, t));
}
