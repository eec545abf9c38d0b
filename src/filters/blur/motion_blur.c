/* SPDX-License-Identifier: MIT
 * Places along the path lie at most a pixel apart. compat=gpuimage takes nine, `size` by height over width apart. */
#define NAME motion_blur
#define SUMMARY "Blur along a direction, as what moves while the shutter is open"
#define EXAMPLE "motion_blur=3:30"
#define TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOAT(size, 2.5, 0, 1000, "px", "an eighth of the path; 0 keeps the image")                                        \
    FLOAT(angle, 0, -360, 360, "degrees", "of the path: 0 is along rows, 90 along columns, 45 to the right and down")  \
    CHOICE(weights, 0, "box|tent", "all of the path counts the same, or its middle most")                              \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: nine places, weighted .05 .09 .12 .15 .18 .15 .12 .09 .05")
#define SEVERAL
#include "filter/warp.h"
#include "filters/blur/nine.h"

PLACES { return P.compat != 0 ? 9 : 2 * to_int(4.0f * P.size + 0.99f) + 1; }
BODY {
    float reach = 0.5f * to_float(count - 1), q = to_float(k) - reach, turn = P.angle / 180.0f * 3.14159265f;
    float shape = P.compat != 0 ? to_float(source.height) / to_float(source.width) : 1.0f;
    float way = 4.0f * P.size * shape * q / max(reach, 1.0f);
    float weight = P.compat != 0 ? nine_weight(k) : P.weights != 0 ? reach + 1.0f - abs(q) : 1.0f;
    return rgba(to_float(at.x) + way * cos(turn), to_float(at.y) + way * sin(turn), weight, 0.0f);
}
