/* SPDX-License-Identifier: MIT */
#define NAME checkerboard
#define SUMMARY "Make a checkerboard of two colors"
#define EXAMPLE "checkerboard=32:0.9|0.9|0.85|1:0.2|0.25|0.3|1"
#define EXACT true
#define PARAMS                                                                                                         \
    INT(cell, 16, 1, 2147483647, "px", "side of a square")                                                             \
    COLOR(first, 1, 1, 1, 1, -UNBOUNDED, UNBOUNDED, "color of the square at the top left")                             \
    COLOR(second, 0, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "color of its neighbours")
#include "filter/generator.h"

BODY {
    int odd = (at.x / P.cell + at.y / P.cell) & 1;
    return rgba(odd != 0 ? P.second.x : P.first.x, odd != 0 ? P.second.y : P.first.y,
                odd != 0 ? P.second.z : P.first.z, odd != 0 ? P.second.w : P.first.w);
}
