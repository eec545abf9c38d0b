/* SPDX-License-Identifier: MIT */
#define NAME cell_ink
#define SUMMARY "Draw a black dot in each square of a grid, larger where the pixel is darker"
#define STEP_OF "halftone"
#define EXAMPLE "cell_ink=0.02"
#define CHANNELS GREY
#define TOLERANCE 1
#define PLACED true
#define PARAMS FLOAT(fraction, 0.01, 0, 1, "", "width of a square, as a share of the image's width; at least a pixel")
#include "filter/pixel.h"
#include "filters/geometry/cell.h"

BODY {
    float side = cell_side(P.fraction, at.width);
    float paper = cell_distance(at, side) <= 0.5f * side * (1.0f - luminance(c)) + 1e-4f ? 0.0f : 1.0f;
    return rgba(paper, paper, paper, c.w);
}
