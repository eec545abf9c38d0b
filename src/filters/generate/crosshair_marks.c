/* SPDX-License-Identifier: MIT
 * Places outside the image mark nothing, so fewer than 16 are given by moving the others there. */
#define NAME crosshair_marks
#define SUMMARY "Mark up to 16 pixels by crosshairs"
#define STEP_OF "crosshair"
#define EXAMPLE "crosshair_marks=width=41"
#define CHANNELS COLOR
#define PLACED true
#include "filters/generate/crosshair_places.h"
#define PARAMS                                                                                                         \
    PLACES_PARAM("x and y of 16 pixels, whole numbers; 0|0 is the first")                                              \
    INT(width, 5, 1, 1000000, "px", "length of the lines; of an even length, one pixel more lies before the place")    \
    COLOR(color, 0, 1, 0, 1, -UNBOUNDED, UNBOUNDED, "of the lines; with its alpha over the image, once for each pixel")
#include "filter/pixel.h"

FN float mark(float dx, float dy, float before, float after) {
    float across = dy == 0.0f && dx >= before && dx <= after ? 1.0f : 0.0f;
    return dx == 0.0f && dy >= before && dy <= after ? 1.0f : across;
}
BODY {
    float x = to_float(at.x), y = to_float(at.y), rest = 1.0f; /* what the crosshairs leave of the image */
    float before = -to_float(P.width / 2), after = to_float((P.width - 1) / 2);
    for (int k = 0; k < 16; k++)
        rest = rest * (1.0f - P.color.w * mark(x - P.places[2 * k], y - P.places[2 * k + 1], before, after));
    float source = 1.0f - rest, alpha = source + c.w * (1.0f - source);
    float share = source / (alpha > 0.0f ? alpha : 1.0f);
    return rgba(mix(c.x, P.color.x, share), mix(c.y, P.color.y, share), mix(c.z, P.color.z, share), alpha);
}
