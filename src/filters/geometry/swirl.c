/* SPDX-License-Identifier: MIT */
#define NAME swirl
#define SUMMARY "Turn what lies in a circle, most in its middle"
#define EXAMPLE "swirl=0.55|0.4:0.4:0.6"
#define TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.5, 0, 10, "", "of the circle, as a share of the image's width")                                    \
    FLOAT(angle, 1, -100, 100, "", "the turn in the middle, in units of 8 radians; above 0 is counterclockwise")       \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the circle has the shape of the image")
#include "filter/warp.h"

BODY {
    float width = to_float(at.width), height = to_float(at.height), reach = P.radius * width;
    float shape = P.compat != 0 ? width * near_reciprocal(height) : 1.0f;
    float shape_back = P.compat != 0 ? height * near_reciprocal(width) : 1.0f;
    float share_of_pixel = near_reciprocal(max(reach, 1e-30f));
    float dx = to_float(at.x) + 0.5f - P.center[0] * width, dy = to_float(at.y) + 0.5f - P.center[1] * height, y = dy * shape;
    float share = max(1.0f - sqrt(dx * dx + y * y) * share_of_pixel, 0.0f); /* no branch: GPUs divide once for some pixels */
    float turn = 8.0f * P.angle * share * share, s = sin(turn), c = cos(turn);
    float x_moved = dx * c - y * s - dx, y_moved = dx * s + y * c - y;
    float on = turn != 0.0f ? 1.0f : 0.0f; /* else exactly in place: a GPU's cosine of 0 may not be quite 1 */
    return xy(to_float(at.x) + on * x_moved, to_float(at.y) + on * y_moved * shape_back);
}
