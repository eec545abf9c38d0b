/* SPDX-License-Identifier: MIT
 * Four sets of lines, each where the luminance is below a level: falling, rising, and those again half a spacing on. */
#define NAME crosshatch
#define SUMMARY "Draw the image in black lines that cross, more of them where it is darker"
#define EXAMPLE "crosshatch=0.02:0.004"
#define CHANNELS GREY
#define TOLERANCE 1
#define PLACED true
#define PARAMS                                                                                                         \
    FLOAT(spacing, 0.03, 0, 1, "", "of the lines, along x, as a share of the width; at least a pixel")                 \
    FLOAT(line_width, 0.003, 0, 1, "", "of a line, along x, as a share of the width")                                  \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the lines are diagonals of the image, not of squares")
#include "filter/pixel.h"

/* 1 on the lines, at most a width, but for rounding, beyond a multiple of the spacing, where the image is dark. */
FN float line(float where, float spacing, float width, float light, float level) {
    float shifted = where + 1e-6f, beyond = shifted - spacing * floor(shifted / spacing);
    return light < level && beyond <= width + 2e-6f ? 1.0f : 0.0f;
}
BODY {
    float light = luminance(c), wide = to_float(at.width), spacing = max(P.spacing, 1.0f / wide);
    float u = (to_float(at.x) + 0.5f) / wide;
    float v = (to_float(at.y) + 0.5f) / (P.compat != 0 ? to_float(at.height) : wide);
    float lines = line(u + v, spacing, P.line_width, light, 1.0f) + line(u - v, spacing, P.line_width, light, 0.75f) +
                  line(u + v - 0.5f * spacing, spacing, P.line_width, light, 0.5f) +
                  line(u - v - 0.5f * spacing, spacing, P.line_width, light, 0.3f);
    float ink = lines > 0.0f ? 0.0f : 1.0f;
    return rgba(ink, ink, ink, c.w);
}
