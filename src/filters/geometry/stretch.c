/* SPDX-License-Identifier: MIT */
#define NAME stretch
#define SUMMARY "Stretch the image about a place, most in the middle, along each axis by itself"
#define ALIASES "stretch_distortion"
#define EXAMPLE "stretch=0.55|0.4"
#define TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")
#include "filter/warp.h"

/* Where along an axis of `size` pixels to look for pixel i. */
FN float along(float i, float size, float middle) {
    float apart = 2.0f * ((i + 0.5f) / size - middle), far = abs(apart);
    float share = 0.5f + 0.5f * smoothstep(0.25f, 0.5f, far);
    return i + 0.5f * apart * (share - 1.0f) * size;
}
BODY {
    return xy(along(to_float(at.x), to_float(at.width), P.center[0]),
              along(to_float(at.y), to_float(at.height), P.center[1]));
}
