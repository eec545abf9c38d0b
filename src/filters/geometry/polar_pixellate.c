/* SPDX-License-Identifier: MIT
 * Each part of a ring shows the place in its middle, between pixels the mean of the four around.
 * compat=gpuimage measures in shares of both sides, and takes the place at the beginning of the part and 0.015 of the
 * image further out. */
#define NAME polar_pixellate
#define SUMMARY "Show the image in parts of rings about a place, of one color each"
#define ALIASES "polar_pixelate"
#define EXAMPLE "polar_pixellate=0.55|0.4:0.05|0.1"
#define TOLERANCE 1
#define STEADY_TOLERANCE 6e-5 /* places below 512 are off by 3e-5 along each axis in f32; a pixel is at most 1 */
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -1, 2, "place in the image, from 0|0 at the top left to 1|1")                         \
    FLOATS(size, 2, "0.05|0.05", 0, 10,                                                                                \
           "width of a ring, as a share of half the image's width, and the angle of a "                                \
           "part in radians; 0 does not divide")                                                                       \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the rings have the shape of the image")
#include "filter/warp.h"

/* The middle, or with share 0 the beginning, of the part around v. */
FN float part(float v, float size, float share) { return size > 0.0f ? (floor(v / size + 1e-4f) + share) * size : v; }
BODY {
    float wide = to_float(at.width), high = P.compat != 0 ? to_float(at.height) : wide;
    float share = P.compat != 0 ? 0.0f : 0.5f, further = P.compat != 0 ? 0.03f : 0.0f;
    float dx = 2.0f * (to_float(at.x) + 0.5f - P.center[0] * wide) / wide;
    float dy = 2.0f * (to_float(at.y) + 0.5f - P.center[1] * to_float(at.height)) / high;
    float ring = part(sqrt(dx * dx + dy * dy), P.size[0], share) + further;
    float angle = part(atan2(dy, dx), P.size[1], share);
    float x = P.center[0] * wide + 0.5f * ring * cos(angle) * wide - 0.5f;
    float y = P.center[1] * to_float(at.height) + 0.5f * ring * sin(angle) * high - 0.5f;
    return xy(x, y);
}
