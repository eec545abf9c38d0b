/* SPDX-License-Identifier: MIT */
#define NAME scharr
#define SUMMARY "Find edges: the gradient of luminance by the Scharr operator, which favors no direction"
#define SOURCE "Scharr 2000: weights 3, 10, 3"
#define EXAMPLE "gaussian=1.5,scharr=edge_strength=0.25"
#define TOLERANCE 5e-6 /* weights are four times those of sobel; found: 4.3e-6 */
#define CORNER 3.0f
#define SIDE 10.0f
#include "filters/edge/gradient.h"
#include "filter/stencil.h"

BODY {
    float x = GRADIENT_X, y = GRADIENT_Y;
    return GRADIENT(x, y);
}
