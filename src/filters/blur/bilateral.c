/* SPDX-License-Identifier: MIT */
#define NAME bilateral
#define SUMMARY "Smooth while keeping edges: a mean of near pixels of similar color"
#define ALIASES "bilateral2d"
#define SOURCE "Tomasi and Manduchi 1998; color distance L1 as in OpenCV"
#define EXAMPLE "bilateral=4:0.15"
#define TOLERANCE 1e-5
#define MUTUAL true
#define BY_DISTANCE
#define PARAMS                                                                                                         \
    FIXED_FLOAT(sigma_space, 3, 0, 1000, "px", "reach in space; 0 keeps the image")                                    \
    FLOAT(sigma_color, 0.1, 0.0001, 1000, "", "reach in color, 1 being full scale")                                    \
    AUTO_INT(radius, 0, 1000, "px", "neighbours within this distance; auto is 1.5 sigma_space")
#include "filter/window.h"

SHARE {
    float radius = P.radius < 0 ? floor(1.5f * P.sigma_space + 0.5f) : to_float(P.radius);
    float space = max(P.sigma_space, 0.0001f), square = dx * dx + dy * dy;
    return square <= radius * radius ? exp(square * (-0.5f / (space * space))) : 0.0f;
}

BODY {
    float scaled = distance * (0.84932180f / P.sigma_color); /* a quotient for all pixels, not for each: sqrt(log2(e) / 2) */
    return exp2_near(-scaled * scaled);
}

#ifdef PART_DESCRIPTOR
static int32_t reach(const void *block, enum weft_direction direction) {
    const struct BLOCK *p = block;
    (void)direction;
    return p->radius >= 0 ? p->radius : (int32_t)(1.5f * p->sigma_space + 0.5f);
}
#endif
