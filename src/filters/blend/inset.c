/* SPDX-License-Identifier: MIT */
#define NAME inset
#define SUMMARY "Lay the second image over the first in a rectangle"
#define STEP_OF "picture_in_picture"
#define EXAMPLE "split[a][b];[b]sobel[c];[a][c]inset=160|100|400|300"
#define PLACED true
#define PARAMS                                                                                                         \
    FLOATS(edges, 4, "0|0|100|100", -1e9, 1e9, "the first column and row of the rectangle, and those after its last")  \
    FLOAT(opacity, 1, 0, 1, "", "scales the alpha of the second image")
#include "filter/pixel2.h"

BODY {
    float x = to_float(at.x), y = to_float(at.y);
    float across = x >= P.edges[0] && x < P.edges[2] ? 1.0f : 0.0f,
          down = y >= P.edges[1] && y < P.edges[3] ? 1.0f : 0.0f;
    float source = over.w * P.opacity * across * down, alpha = source + base.w * (1.0f - source);
    float share = source / (alpha > 0.0f ? alpha : 1.0f);
    return rgba(mix(base.x, over.x, share), mix(base.y, over.y, share), mix(base.z, over.z, share), alpha);
}
