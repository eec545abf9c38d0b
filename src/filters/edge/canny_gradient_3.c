/* SPDX-License-Identifier: MIT */
#define NAME canny_gradient_3
#define SUMMARY "The gradient of luminance by the 3x3 Sobel operator, as two channels: for canny"
#define RADIUS 1
#define EXAMPLE "canny_gradient_3,canny_suppress=0.1:0.4"
#include "filters/edge/canny_gradient.h"
#include "filter/stencil.h"

FN float across(float a, float b, float c) { return a + 2.0f * b + c; }
FN float along(float a, float b, float c) { return c - a; }
#define COLUMN(dx) PIXEL(dx, -1), PIXEL(dx, 0), PIXEL(dx, 1)
#define ROW(dy) PIXEL(-1, dy), PIXEL(0, dy), PIXEL(1, dy)

BODY {
    float x = along(across(COLUMN(-1)), across(COLUMN(0)), across(COLUMN(1)));
    float y = along(across(ROW(-1)), across(ROW(0)), across(ROW(1)));
    return rgba(x, x, x, y);
}
