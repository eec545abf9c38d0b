/* SPDX-License-Identifier: MIT
 * gradient_products in whole numbers, of luminance in whole numbers. A gradient is in steps of 1 / 4080 of full scale, in
 * which those of gray images of 8 bits are whole to begin with, and their squares stay below 2^24. */
#define NAME whole_products
#define SUMMARY "The squares of the gradient along x and along y, and their product, as whole numbers: for harris"
#define SOURCE "the structure tensor, before its window: Harris and Stephens 1988"
#define EXAMPLE "luminance_over_black=whole=1,whole_products,gaussian=2,whole_response=shi_tomasi,gamma=0.5"
#define CHANNELS COLOR
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result's is 1"
#define LUMINANCE
#define PIXELS
#define TOLERANCE 1
#define RADIUS 1
#define PARAMS                                                                                                         \
    CHOICE(gradient, 0, "sobel|prewitt",                                                                               \
           "sobel is divided by 4; of prewitt squares end at 1 and products at 1 and -1, as in harris=compat=gpuimage")
#include "filter/stencil.h"

FN float steps_across(float a, float b, float c, float middle) { return a + middle * b + c; }
#define COLUMN_SUM(dx) steps_across(AT(dx, -1).x, AT(dx, 0).x, AT(dx, 1).x, middle)
#define ROW_SUM(dy) steps_across(AT(-1, dy).x, AT(0, dy).x, AT(1, dy).x, middle)

/* 65535 is 257 times 255, so that nothing lies half way. */
FN int whole_gradient(float sum, float scale) { return to_int(floor(sum * scale + 0.5f)); }
FN float at_most(int v, int most) { return to_float(v > most ? most : (v < -most ? -most : v)); }

BODY {
    float middle = P.gradient == 0 ? 2.0f : 1.0f, scale = (P.gradient == 0 ? 4.0f : 16.0f) / 257.0f;
    int x = whole_gradient(COLUMN_SUM(1) - COLUMN_SUM(-1), scale);
    int y = whole_gradient(ROW_SUM(1) - ROW_SUM(-1), scale);
    return rgba(at_most(x * x, 16646400), at_most(y * y, 16646400), at_most(x * y, 16646400), 1.0f);
}
