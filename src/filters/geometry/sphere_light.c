/* SPDX-License-Identifier: MIT */
#define NAME sphere_light
#define SUMMARY                                                                                                        \
    "Blank what is outside a circle, and let it shine as glass"
#define STEP_OF "sphere_refraction and glass_sphere"
#define EXAMPLE "sphere_light=0.5|0.5:0.35:1"
#define TOLERANCE 1
#define PLACED true
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.25, 0, 10, "", "of the sphere, as a share of the image's width")                                   \
    BOOL(glass, 0, "a bright rim and a spot of light, and nothing to be seen behind")                                  \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the circle moves off a center that is not in the middle")
#include "filter/pixel.h"
#include "filters/geometry/sphere.h"

BODY {
    vec4 normal = sphere_normal(at, P.center[0], P.center[1], P.radius, P.compat);
    float inside = normal.w, on = P.glass != 0 ? 1.0f : 0.0f;
    float facing = max((normal.z + 0.5f * normal.y - 0.5f * normal.x) * 0.81649658f, 0.0f);
    float light = on * (2.5f * (1.0f - sqrt(sqrt(normal.z))) + 0.8f * pow(facing, 15.0f));
    return rgba(inside * (c.x + light), inside * (c.y + light), inside * (c.z + light),
                inside * (on > 0.0f ? 1.0f : c.w));
}
