/* SPDX-License-Identifier: MIT */
#define NAME directional_nms
#define SUMMARY "Keep pixels whose red, the length of a gradient, is not less than both neighbors' in its direction"
#define SOURCE "GPUImage's GPUImageDirectionalNonMaximumSuppressionFilter; canny has the standard form"
#define EXAMPLE "gaussian=1.5,directional_sobel,directional_nms=0.1:0.5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(lower, 0.1, 0, UNBOUNDED, "", "lengths up to this become 0")                                                 \
    FLOAT(upper, 0.5, 0, UNBOUNDED, "", "lengths from this on become 1; between, the result rises smoothly")
#define CHANNELS GREY
#define PIXELS
#define RADIUS 1
#include "filter/stencil.h"

FN float toward(float code) { return floor(code * 2.0f + 0.5f) - 1.0f; }
/* One of four neighbors, by the direction x, y; without a direction none, which is 0. */
FN float chosen(float x, float y, float beside, float below, float falling, float rising) {
    float straight = y == 0.0f ? (x == 0.0f ? 0.0f : beside) : below;
    return x * y == 0.0f ? straight : (x * y > 0.0f ? falling : rising);
}

BODY {
    vec4 c = AT(0, 0);
    float x = toward(c.y), y = toward(c.z);
    float after = chosen(x, y, AT(1, 0).x, AT(0, 1).x, AT(1, 1).x, AT(1, -1).x);
    float before = chosen(x, y, AT(-1, 0).x, AT(0, -1).x, AT(-1, -1).x, AT(-1, 1).x);
    float kept = max(after, before) <= c.x ? smoothstep(P.lower, P.upper, c.x) : 0.0f;
    return rgba(kept, kept, kept, c.w);
}
