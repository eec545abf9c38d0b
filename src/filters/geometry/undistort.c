/* SPDX-License-Identifier: MIT
 * The camera's matrix and coefficients are those that OpenCV's calibrateCamera gives. Places are found as its
 * initUndistortRectifyMap finds them, without rotation. */
#define NAME undistort
#define SUMMARY "Take the bend of a lens out of a picture, by the camera's matrix and coefficients"
#define SOURCE "Brown 1971, Conrady 1919; OpenCV's undistort"
#define EXAMPLE "undistort=700:700:512:384:-0.25:0.08"
#define TOLERANCE 1e-2
#define PARAMS                                                                                                         \
    FLOAT(fx, 1000, 1, 1000000, "px", "focal length along x")                                                          \
    FLOAT(fy, 1000, 1, 1000000, "px", "focal length along y")                                                          \
    FLOAT(cx, 500, -1000000, 1000000, "px", "the optical center: column")                                              \
    FLOAT(cy, 500, -1000000, 1000000, "px", "and row")                                                                 \
    FLOAT(k1, 0, -100, 100, "", "how much the bend grows with the square of the distance from the center")             \
    FLOAT(k2, 0, -100, 100, "", "with its fourth power")                                                               \
    FLOAT(p1, 0, -10, 10, "", "how much the lens leans: tangential distortion along y")                                \
    FLOAT(p2, 0, -10, 10, "", "and along x")                                                                           \
    FLOAT(k3, 0, -100, 100, "", "how much the bend grows with the sixth power of the distance")
#define WITHIN 8.0f
#include "filter/warp.h"

BODY {
    float per_x = near_reciprocal(P.fx), per_y = near_reciprocal(P.fy); /* the same for all pixels */
    float dx = to_float(at.x) - P.cx, dy = to_float(at.y) - P.cy, x = dx * per_x, y = dy * per_y, r2 = x * x + y * y;
    float bend = r2 * (P.k1 + r2 * (P.k2 + r2 * P.k3)); /* how much further away; of 0, pixels stay exactly */
    float more_x = dx * bend + P.fx * (2.0f * P.p1 * x * y + P.p2 * (r2 + 2.0f * x * x));
    float more_y = dy * bend + P.fy * (2.0f * P.p2 * x * y + P.p1 * (r2 + 2.0f * y * y));
    return xy(to_float(at.x) + more_x, to_float(at.y) + more_y);
}
