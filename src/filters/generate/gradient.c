/* SPDX-License-Identifier: MIT */
#define NAME gradient
#define SUMMARY "Make a ramp from one color to another along a direction"
#define ALIASES "ramp"
#define EXAMPLE "gradient=0.1|0.1|0.4|1:1|0.6|0.2|1:1:1"
#define PARAMS                                                                                                         \
    COLOR(from, 0, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "color of the first pixel or corner along the direction")           \
    COLOR(to, 1, 1, 1, 1, -UNBOUNDED, UNBOUNDED, "color of the last one")                                              \
    FLOAT(x, 1, -1, 1, "", "direction to the right; only its ratio to y counts")                                       \
    FLOAT(y, 0, -1, 1, "", "direction downwards")
#include "filter/generator.h"

BODY {
    float right = to_float(at.width - 1), down = to_float(at.height - 1);
    float length = abs(P.x) * right + abs(P.y) * down;
    float from_x = to_float(at.x) - (P.x < 0.0f ? right : 0.0f), from_y = to_float(at.y) - (P.y < 0.0f ? down : 0.0f);
    float t = (P.x * from_x + P.y * from_y) / (length > 0.0f ? length : 1.0f);
    return rgba(mix(P.from.x, P.to.x, t), mix(P.from.y, P.to.y, t), mix(P.from.z, P.to.z, t), mix(P.from.w, P.to.w, t));
}
