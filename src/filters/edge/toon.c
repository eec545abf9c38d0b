/* SPDX-License-Identifier: MIT */
#define NAME toon
#define SUMMARY "Draw as a comic: few levels of each color, and black lines where the luminance changes"
#define SOURCE "GPUImage's GPUImageToonFilter, whose edges are those of red; here of luminance"
#define EXAMPLE "gaussian=2,toon=0.25:8"
#define ALPHA STRAIGHT
#define TOLERANCE 1 /* where a color is half way between two levels, or a gradient at the threshold */
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.2, 0, UNBOUNDED, "", "lines are where the gradient is at least this long; 1 is full scale")     \
    FLOAT(quantization_levels, 10, 1, 256, "", "levels of each color")                                                 \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the gradient is of red alone")
#define PIXELS
#define RADIUS 1
#include "filter/stencil.h"

FN float tone(vec4 c, int compat) { return compat != 0 ? c.x : luminance(c); }
FN float level(float v, float levels) { return floor(v * levels + 0.5f) / levels; }

#define TONE(dx, dy) tone(AT(dx, dy), P.compat)

BODY {
    vec4 c = AT(0, 0);
    float top_left = TONE(-1, -1), top_right = TONE(1, -1), bottom_left = TONE(-1, 1), bottom_right = TONE(1, 1);
    float x = top_right - top_left + 2.0f * (TONE(1, 0) - TONE(-1, 0)) + bottom_right - bottom_left;
    float y = bottom_left - top_left + 2.0f * (TONE(0, 1) - TONE(0, -1)) + bottom_right - top_right;
    float on = sqrt(x * x + y * y) < P.threshold ? 1.0f : 0.0f, n = P.quantization_levels;
    return rgba(on * level(c.x, n), on * level(c.y, n), on * level(c.z, n), c.w);
}
