/* SPDX-License-Identifier: MIT
 * A pixel's path leads to the center and as far away from it. Places along the path of the farthest corner lie at most
 * a pixel apart. */
#define NAME zoom_blur
#define SUMMARY "Blur towards a place, as a camera that moves there"
#define EXAMPLE "zoom_blur=2:0.55|0.4"
#define TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOAT(size, 1, 0, 25, "", "the path is 8 of 100 parts of the way to the center, times size; 0 keeps the image")    \
    FLOATS(center, 2, "0.5|0.5", -10, 10, "place in the image, from 0|0 at the top left to 1|1")                       \
    CHOICE(weights, 0, "box|tent", "all of the path counts the same, or its middle most")                              \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: nine places, weighted .05 .09 .12 .15 .18 .15 .12 .09 .05")
#define SEVERAL
#include "filter/warp.h"
#include "filters/blur/nine.h"

PLACES {
    float across = max(abs(P.center[0]), abs(1.0f - P.center[0])) * to_float(source.width);
    float down = max(abs(P.center[1]), abs(1.0f - P.center[1])) * to_float(source.height);
    float steps = 0.04f * P.size * (across + down); /* not less than half of the path */
    return P.compat != 0 ? 9 : 2 * to_int(min(steps + 0.987f, 30000.0f)) + 1;
}
BODY {
    float reach = 0.5f * to_float(count - 1), q = to_float(k) - reach, way = 0.04f * P.size * q / max(reach, 1.0f);
    float weight = P.compat != 0 ? nine_weight(k) : P.weights != 0 ? reach + 1.0f - abs(q) : 1.0f;
    float dx = P.center[0] * to_float(at.width) - 0.5f - to_float(at.x);
    float dy = P.center[1] * to_float(at.height) - 0.5f - to_float(at.y);
    return rgba(to_float(at.x) + way * dx, to_float(at.y) + way * dy, weight, 0.0f);
}
