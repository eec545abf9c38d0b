/* SPDX-License-Identifier: MIT */
#define NAME false_color
#define SUMMARY "Show dark in one color, bright in another, and between them their mixture"
#define EXAMPLE "false_color=0|0|0.5|1:1|0.8|0.2|1"
#define CHANNELS COLOR
#define AFFINE true
#define PARAMS                                                                                                         \
    COLOR(first, 0, 0, 0.5, 1, -UNBOUNDED, UNBOUNDED, "the color of black")                                            \
    COLOR(second, 1, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "the color of white")
#include "filter/pixel.h"

BODY {
    float y = luminance(c);
    return rgba(mix(P.first.x, P.second.x, y), mix(P.first.y, P.second.y, y), mix(P.first.z, P.second.z, y), c.w);
}
