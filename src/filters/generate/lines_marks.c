/* SPDX-License-Identifier: MIT */
#define NAME lines_marks
#define SUMMARY "Draw up to 8 straight lines"
#define STEP_OF "lines"
#define EXAMPLE "lines_marks=width=3"
#define CHANNELS COLOR
#define PLACED true
#define TOLERANCE 1e-3
#include "filters/generate/crosshair_places.h"
#define PARAMS                                                                                                         \
    PLACES_PARAM("x and y of both ends of 8 lines, in pixels; 0|0 is the middle of the first pixel")                   \
    FLOAT(width, 1, 0, 100000, "px", "of the lines")                                                                   \
    COLOR(color, 0, 1, 0, 1, -UNBOUNDED, UNBOUNDED, "of the lines; with its alpha over the image")
#include "filter/pixel.h"

/* How much of the pixel a line from the origin to (x, y) covers; the pixel is at (u, v). */
FN float covered(float u, float v, float x, float y, float width) {
    float length = x * x + y * y, part = clamp((u * x + v * y) / (length > 0.0f ? length : 1.0f), 0.0f, 1.0f);
    float du = u - part * x, dv = v - part * y;
    return clamp(0.5f * width + 0.5f - sqrt(du * du + dv * dv), 0.0f, min(width, 1.0f));
}
BODY {
    float cover = 0.0f;
    for (int k = 0; k < 8; k++) {
        float x = P.places[4 * k], y = P.places[4 * k + 1];
        cover = max(cover, covered(to_float(at.x) - x, to_float(at.y) - y, P.places[4 * k + 2] - x,
                                   P.places[4 * k + 3] - y, P.width));
    }
    float source = cover * P.color.w, alpha = source + c.w * (1.0f - source);
    float share = source / (alpha > 0.0f ? alpha : 1.0f);
    return rgba(mix(c.x, P.color.x, share), mix(c.y, P.color.y, share), mix(c.z, P.color.z, share), alpha);
}
