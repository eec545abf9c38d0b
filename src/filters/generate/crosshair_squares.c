/* SPDX-License-Identifier: MIT
 * Each place has a square of width + 1 pixels, drawn over those before: black and without alpha where no line is. Places
 * are GPUImage's, between pixels; those far outside mark nothing, so fewer than 16 are given by moving the others there. */
#define NAME crosshair_squares
#define SUMMARY "Mark up to 16 places by crosshairs in squares of their own"
#define STEP_OF "crosshair with compat=gpuimage"
#define SOURCE "GPUImage's GPUImageCrosshairGenerator"
#define EXAMPLE "crosshair_squares=width=41"
#define CHANNELS COLOR
#define PLACED true
#include "filters/generate/crosshair_places.h"
#define PARAMS                                                                                                         \
    PLACES_PARAM("x and y of 16 places; 0.5|0.5 is the middle of the first pixel")                                     \
    INT(width, 5, 1, 1000000, "px", "length of the lines")                                                             \
    COLOR(color, 0, 1, 0, 1, -UNBOUNDED, UNBOUNDED, "of the lines")
#include "filter/pixel.h"

#define NEAR_LINE 0.09f /* of a square's side */

FN float square_line(float along, float across, float step, float middle) {
    return along >= step && abs(middle - across) <= NEAR_LINE ? 1.0f : 0.0f;
}
BODY {
    float side = to_float(P.width + 1), step = 1.0f / to_float(P.width), middle = step * to_float((P.width + 1) / 2);
    vec4 v = c;
    for (int k = 0; k < 16; k++) {
        float u = (to_float(at.x) + 0.5f - P.places[2 * k]) / side + 0.5f;
        float w = (to_float(at.y) + 0.5f - P.places[2 * k + 1]) / side + 0.5f;
        if (u >= 0.0f && u < 1.0f && w >= 0.0f && w < 1.0f) {
            float line = max(square_line(w, u, step, middle), square_line(u, w, step, middle));
            v = rgba(P.color.x * line, P.color.y * line, P.color.z * line, line);
        }
    }
    return v;
}
