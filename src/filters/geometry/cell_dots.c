/* SPDX-License-Identifier: MIT */
#define NAME cell_dots
#define SUMMARY "Paint all black but a dot in each square of a grid"
#define STEP_OF "polka_dot"
#define EXAMPLE "cell_dots=0.1"
#define TOLERANCE 1
#define PLACED true
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.05, 0, 1, "", "width of a square, as a share of the image's width; at least a pixel")            \
    FLOAT(dot_scaling, 0.9, 0, 1, "", "diameter of a dot, as a share of the square's side")
#include "filter/pixel.h"
#include "filters/geometry/cell.h"

BODY {
    float side = cell_side(P.fraction, at.width);
    float dot = cell_distance(at, side) <= 0.5f * side * P.dot_scaling + 1e-4f ? 1.0f : 0.0f;
    return rgba(c.x * dot, c.y * dot, c.z * dot, c.w);
}
