/* SPDX-License-Identifier: MIT */
#define NAME split_view
#define SUMMARY "Show the first image up to a line and the second beyond it: before and after"
#define EXAMPLE "split[a][b];[b]grayscale[c];[a][c]split_view"
#define PLACED true
#define PARAMS                                                                                                                     \
    FLOAT(divider, 0.5, 0, 1, "", "where the line is, as a share of the image's side: 0 shows the second alone, 1 the first")      \
    CHOICE(axis, 0, "x|y", "x is left and right, y above and below")
#include "filter/pixel2.h"

BODY {
    float center = to_float(P.axis == 0 ? at.x : at.y) + 0.5f, side = to_float(P.axis == 0 ? at.width : at.height);
    float beyond = center > P.divider * side ? 1.0f : 0.0f;
    return rgba(beyond > 0.0f ? over.x : base.x, beyond > 0.0f ? over.y : base.y, beyond > 0.0f ? over.z : base.z,
                beyond > 0.0f ? over.w : base.w);
}
