/* SPDX-License-Identifier: MIT
 * Of a grid of poisson_blend, whose numbers are those of poisson_start: by how much of its weight a pixel is held to what lies
 * outside, and, as a second number, whether it is inside. */
#define NAME poisson_hold
#define SUMMARY "Of a number q of each pixel: 4 / q less how many neighbors have one above 0, and whether there is one"
#define STEP_OF "poisson_blend"
#define EXAMPLE "luminance_threshold=0.4,poisson_inside,poisson_hold,grayscale"
#define TOLERANCE 1
#define LUMINANCE
#define RADIUS 1
#define PIXELS
#define CHANNELS PAIR
#include "filter/stencil.h"

FN float inside(float free) { return free > 0.0f ? 1.0f : 0.0f; }
BODY {
    float free = AT(0, 0).x, near = inside(AT(-1, 0).x) + inside(AT(1, 0).x) + inside(AT(0, -1).x) + inside(AT(0, 1).x);
    return rgba(free > 0.0f ? 4.0f / free - near : 0.0f, 0.0f, 0.0f, inside(free));
}
