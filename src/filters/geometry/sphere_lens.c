/* SPDX-License-Identifier: MIT
 * A ray from the eye, along the axis, is bent where it enters the sphere; where it then points says which part of the
 * image it sees. */
#define NAME sphere_lens
#define SUMMARY "Bend the image as a sphere in a circle would"
#define STEP_OF "sphere_refraction and glass_sphere"
#define EXAMPLE "sphere_lens=0.5|0.5:0.35"
#define TOLERANCE 1
#define STEADY_TOLERANCE 2e-4 /* near the rim the normal is the root of next to nothing, which decides the place */
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.25, 0, 10, "", "of the sphere, as a share of the image's width")                                   \
    FLOAT(refractive_index, 0.71, 0, 1, "", "of what is around over that of the sphere")                               \
    FLOAT(zoom, 1, -10, 10, "",                                                                                        \
          "how much of the image is seen through it; above 0 upside down, as through glass, below upright")            \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the circle moves off a center that is not in the middle")
#include "filter/warp.h"
#include "filters/geometry/sphere.h"

BODY {
    vec4 normal = sphere_normal(at, P.center[0], P.center[1], P.radius, P.compat);
    float index = P.refractive_index, straight = 1.0f - index * index * (1.0f - normal.z * normal.z);
    float bend = 0.5f * P.zoom * (index * normal.z - sqrt(max(straight, 0.0f)));
    float x = (0.5f + bend * normal.x) * to_float(at.width) - 0.5f;
    float y = (0.5f + bend * normal.y) * to_float(at.height) - 0.5f;
    return xy(normal.w > 0.0f ? x : to_float(at.x), normal.w > 0.0f ? y : to_float(at.y));
}
