/* SPDX-License-Identifier: MIT */
#define NAME grayscale
#define SUMMARY "Make one grey channel from red, green and blue; alpha is kept"
#define ALIASES "greyscale luminance desaturate"
#define CHANNELS GREY
#define ROLE LUMINANCE
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOATS(weights, 3, "0.2125|0.7154|0.0721", -UNBOUNDED, UNBOUNDED,                                                  \
           "shares of red, green and blue; the default is the luminance of BT.709")
#include "filter/pixel.h"

/* Weights that sum to 1 but for rounding are made to: of a grey pixel comes that grey. */
FN float part_of_one(float weight) { return floor(weight * 16777216.0f + 0.5f) / 16777216.0f; }
BODY {
    float r = P.weights[0], g = P.weights[1], b = P.weights[2], off = abs(r + g + b - 1.0f);
    r = off < 1e-6f ? part_of_one(r) : r;
    b = off < 1e-6f ? part_of_one(b) : b;
    g = off < 1e-6f ? 1.0f - r - b : g;
    float y = weighted(c, r, g, b);
    return rgba(y, y, y, c.w);
}
