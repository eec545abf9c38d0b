/* SPDX-License-Identifier: MIT */
#define NAME pixellate_position
#define SUMMARY "Show what is inside a circle in squares of one color each, and keep the rest: hide a face"
#define ALIASES "pixelate_position"
#define SOURCE "GPUImage's GPUImagePixellatePositionFilter"
#define EXAMPLE "pixellate_position=0.03:0.55|0.4:0.2"
#define TOLERANCE 1
#define STEADY_TOLERANCE 6e-5
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.05, 0, 1, "", "width of a square, as a share of the image's width; at least a pixel")            \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "of the circle, from 0|0 at the top left to 1|1")              \
    FLOAT(radius, 0.25, 0, 10, "", "of the circle, as a share of the image's width")
#include "filter/warp.h"
#include "filters/geometry/cell.h"

BODY {
    float side = cell_side(P.fraction, at.width), x = to_float(at.x), y = to_float(at.y);
    float dx = x + 0.5f - P.center[0] * to_float(at.width), dy = y + 0.5f - P.center[1] * to_float(at.height);
    float on = sqrt(dx * dx + dy * dy) < P.radius * to_float(at.width) ? 1.0f : 0.0f;
    return xy(on > 0.0f ? cell_place(x, side, 0.5f) : x, on > 0.0f ? cell_place(y, side, 0.5f) : y);
}
