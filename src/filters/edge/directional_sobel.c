/* SPDX-License-Identifier: MIT
 * The direction is one of eight: a component counts as -1, 0 or 1 by whether its share of the length reaches the sine of 22.5
 * degrees. */
#define NAME directional_sobel
#define SUMMARY "The Sobel gradient as length and direction: red the length, green and blue which of eight ways it points"
#define SOURCE "GPUImage's GPUImageDirectionalSobelEdgeDetectionFilter"
#define EXAMPLE "gaussian=1.5,directional_sobel"
#define TOLERANCE 1 /* where a direction is half way between two */
#define PARAMS FLOAT(edge_strength, 1, 0, 100, "", "factor on the length")
#define CHANNELS COLOR
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result's is 1"
#define LUMINANCE
#define PIXELS
#define RADIUS 1
#include "filter/stencil.h"

/* -1, 0 or 1 as (part + 1) / 2; sin(22.5 degrees) = 1 - 0.617316 */
FN float way(float part, float magnitude) {
    float steps = magnitude > 0.0f ? floor(abs(part) / magnitude + 0.617316f) : 0.0f;
    return 0.5f + 0.5f * (part < 0.0f ? -steps : steps);
}

#define TONE(dx, dy) AT(dx, dy).x

BODY {
    float top_left = TONE(-1, -1), top_right = TONE(1, -1), bottom_left = TONE(-1, 1), bottom_right = TONE(1, 1);
    float x = top_right - top_left + 2.0f * (TONE(1, 0) - TONE(-1, 0)) + bottom_right - bottom_left;
    float y = bottom_left - top_left + 2.0f * (TONE(0, 1) - TONE(0, -1)) + bottom_right - top_right;
    float magnitude = sqrt(x * x + y * y);
    return rgba(magnitude * P.edge_strength, way(x, magnitude), way(y, magnitude), 1.0f);
}
