/* SPDX-License-Identifier: MIT
 * Over 16 because OpenCV's Canny divides by it. In steps the quotient is rounded to whole ones, from half way to the even
 * one, as OpenCV does. */
#define NAME canny_gradient_7
#define SUMMARY "The gradient of luminance by the 7x7 Sobel operator over 16, as two channels: for canny"
#define RADIUS 3
#define EXAMPLE "canny_gradient_7,canny_suppress=0.1:0.4"
#include "filters/edge/canny_gradient.h"
#include "filter/stencil.h"

FN float across(float a, float b, float c, float d, float e, float f, float g) {
    return a + g + 6.0f * (b + f) + 15.0f * (c + e) + 20.0f * d;
}
FN float along(float a, float b, float c, float d, float e, float f, float g) {
    return g - a + 4.0f * (f - b) + 5.0f * (e - c);
}
FN float sixteenth(float v, int steps) {
    float quotient = v / 16.0f, up = floor(quotient + 0.5f);
    float odd = up - 2.0f * floor(up / 2.0f);
    up = up - quotient == 0.5f ? up - odd : up;
    return steps > 0 ? up : quotient;
}
#define COLUMN(dx) PIXEL(dx, -3), PIXEL(dx, -2), PIXEL(dx, -1), PIXEL(dx, 0), PIXEL(dx, 1), PIXEL(dx, 2), PIXEL(dx, 3)
#define ROW(dy) PIXEL(-3, dy), PIXEL(-2, dy), PIXEL(-1, dy), PIXEL(0, dy), PIXEL(1, dy), PIXEL(2, dy), PIXEL(3, dy)

BODY {
    float x = along(across(COLUMN(-3)), across(COLUMN(-2)), across(COLUMN(-1)), across(COLUMN(0)),
                    across(COLUMN(1)), across(COLUMN(2)), across(COLUMN(3)));
    float y = along(across(ROW(-3)), across(ROW(-2)), across(ROW(-1)), across(ROW(0)), across(ROW(1)),
                    across(ROW(2)), across(ROW(3)));
    x = sixteenth(x, P.steps), y = sixteenth(y, P.steps);
    return rgba(x, x, x, y);
}
