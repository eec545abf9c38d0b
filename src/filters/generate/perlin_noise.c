/* SPDX-License-Identifier: MIT
 * Each corner of a lattice has a slope, chosen by its place; in between they are blended. Whole numbers choose, so that
 * all devices choose alike. */
#define NAME perlin_noise
#define SUMMARY "Make clouds of two colors: Perlin's gradient noise"
#define SOURCE "Perlin 2002, hashed as by Gustavson 2011"
#define EXAMPLE "perlin_noise=6:0.1|0.2|0.4|1:1|0.95|0.8|1"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(scale, 8, 0, 10000, "", "squares of the lattice from left to right")                                         \
    COLOR(color_start, 0, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "the color of the lowest values")                            \
    COLOR(color_finish, 1, 1, 1, 1, -UNBOUNDED, UNBOUNDED, "the color of the highest")                                 \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: as many squares from top to bottom, whatever the image's shape")
#include "filter/generator.h"

FN int permute(int v) { return (34 * v + 1) * v % 289; }

/* How high the slope of corner i, j has come at the distance x, y from it. */
FN float rise(int i, int j, float x, float y) {
    int hash = permute(permute(i % 289) + j % 289) % 41;
    float across = to_float(2 * hash) / 41.0f - 1.0f, down = abs(across) - 0.5f;
    across -= floor(across + 0.5f);
    return (1.79284291f - 0.85373472f * (across * across + down * down)) * (across * x + down * y);
}
FN float fade(float t) { return t * t * t * (t * (6.0f * t - 15.0f) + 10.0f); }
BODY {
    float x = P.scale * (to_float(at.x) + 0.5f) / to_float(at.width);
    float y = P.scale * (to_float(at.y) + 0.5f) / to_float(P.compat != 0 ? at.height : at.width);
    int i = to_int(floor(x)), j = to_int(floor(y));
    x -= floor(x), y -= floor(y);
    float above = mix(rise(i, j, x, y), rise(i + 1, j, x - 1.0f, y), fade(x));
    float below = mix(rise(i, j + 1, x, y - 1.0f), rise(i + 1, j + 1, x - 1.0f, y - 1.0f), fade(x));
    float t = 0.5f + 1.15f * mix(above, below, fade(y));
    return rgba(mix(P.color_start.x, P.color_finish.x, t), mix(P.color_start.y, P.color_finish.y, t),
                mix(P.color_start.z, P.color_finish.z, t), mix(P.color_start.w, P.color_finish.w, t));
}
