/* SPDX-License-Identifier: MIT */
#define NAME draw_points_marks
#define SUMMARY "Draw up to 16 discs"
#define STEP_OF "draw_points"
#define EXAMPLE "draw_points_marks=width=9"
#define CHANNELS COLOR
#define PLACED true
#define TOLERANCE 1e-4
#include "filters/generate/crosshair_places.h"
#define PARAMS                                                                                                         \
    PLACES_PARAM("x and y of 16 places in pixels; 0|0 is the middle of the first pixel")                               \
    FLOAT(width, 1, 0, 100000, "px", "radius of the discs")                                                            \
    COLOR(color, 1, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "of the discs; with its alpha over the image")
#include "filter/pixel.h"

FN float covered(float x, float y, float radius) { return clamp(radius + 0.5f - sqrt(x * x + y * y), 0.0f, 1.0f); }
BODY {
    float cover = 0.0f;
    for (int k = 0; k < 16; k++)
        cover = max(cover, covered(to_float(at.x) - P.places[2 * k], to_float(at.y) - P.places[2 * k + 1], P.width));
    float source = cover * P.color.w, alpha = source + c.w * (1.0f - source);
    float share = source / (alpha > 0.0f ? alpha : 1.0f);
    return rgba(mix(c.x, P.color.x, share), mix(c.y, P.color.y, share), mix(c.z, P.color.z, share), alpha);
}
