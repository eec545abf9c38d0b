/* SPDX-License-Identifier: MIT */
#define NAME canny_gradient_5
#define SUMMARY "The gradient of luminance by the 5x5 Sobel operator, as two channels: for canny"
#define RADIUS 2
#define EXAMPLE "canny_gradient_5,canny_suppress=0.1:0.4"
#include "filters/edge/canny_gradient.h"
#include "filter/stencil.h"

FN float across(float a, float b, float c, float d, float e) { return a + 4.0f * b + 6.0f * c + 4.0f * d + e; }
FN float along(float a, float b, float c, float d, float e) { return e - a + 2.0f * (d - b); }
#define COLUMN(dx) PIXEL(dx, -2), PIXEL(dx, -1), PIXEL(dx, 0), PIXEL(dx, 1), PIXEL(dx, 2)
#define ROW(dy) PIXEL(-2, dy), PIXEL(-1, dy), PIXEL(0, dy), PIXEL(1, dy), PIXEL(2, dy)

BODY {
    float x = along(across(COLUMN(-2)), across(COLUMN(-1)), across(COLUMN(0)), across(COLUMN(1)),
                    across(COLUMN(2)));
    float y = along(across(ROW(-2)), across(ROW(-1)), across(ROW(0)), across(ROW(1)), across(ROW(2)));
    return rgba(x, x, x, y);
}
