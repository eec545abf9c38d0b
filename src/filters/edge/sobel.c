/* SPDX-License-Identifier: MIT */
#define NAME sobel
#define SUMMARY "Find edges: the gradient of luminance by the Sobel operator"
#define SOURCE "Sobel and Feldman 1968"
#define EXAMPLE "gaussian=1.5,sobel"
#define PARAMS                                                                                                         \
    CHOICE(component, 0, "magnitude|x|y", "the length of the gradient, or one component with its sign")                   \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the result")
#define LUMINANCE
#define RADIUS 1
#define LINEAR (P.component != 0)
#define LENGTH_OF component
#include "filter/stencil.h"

/* Of a row: the difference across a pixel, and the sum along it; rows below and above have the same. */
#define ACROSS(dy) (AT(1, dy) - AT(-1, dy))
#define ALONG(dy) (AT(-1, dy) + 2.0f * AT(0, dy) + AT(1, dy))

BODY {
    float x = ACROSS(-1) + 2.0f * ACROSS(0) + ACROSS(1), y = ALONG(1) - ALONG(-1);
    float magnitude = sqrt(x * x + y * y);
    return (P.component == 0 ? magnitude : P.component == 1 ? x : y) * P.edge_strength;
}
