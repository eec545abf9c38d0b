/* SPDX-License-Identifier: MIT */
#define NAME sobel
#define SUMMARY "Find edges: the gradient of luminance by the Sobel operator"
#define SOURCE "Sobel and Feldman 1968"
#define EXAMPLE "gaussian=1.5,sobel"
#define CORNER 1.0f
#define SIDE 2.0f
#include "filters/edge/gradient.h"
#include "filter/stencil.h"

BODY {
    float x = GRADIENT_X, y = GRADIENT_Y;
    return GRADIENT(x, y);
}
