/* SPDX-License-Identifier: MIT */
#define NAME prewitt
#define SUMMARY "Find edges: the gradient of luminance by the Prewitt operator"
#define SOURCE "Prewitt 1970"
#define EXAMPLE "gaussian=1.5,prewitt"
#define CORNER 1.0f
#define SIDE 1.0f
#include "filters/edge/gradient.h"
#include "filter/stencil.h"

BODY {
    float x = GRADIENT_X, y = GRADIENT_Y;
    return GRADIENT(x, y);
}
