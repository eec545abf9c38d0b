/* SPDX-License-Identifier: MIT
 * Of a plane in blue, the dual field in red (down) and green (across): the image is the plane less the field's divergence, and
 * the field follows the image's gradient, held to a length of 1. Far below 0 is outside. */
#define NAME tv_step
#define SUMMARY "Move the field of total variation by a step, or show the image that it stands for"
#define STEP_OF "tv_denoise"
#define SOURCE "Chambolle 2004"
#define EXAMPLE "color_matrix=0|0|0|0|0|0|0|0|0|0|1|0|0|0|0|1,tv_step=0.2,exposure=3"
#define CHANNELS COLOR
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(weight, 0.1, 0.0001, 1000, "", "how smooth the result is")                                                   \
    CHOICE(result, 0, "field|image", "what to make")
#define ALPHA_DOC "the result's alpha is 1"
#define RADIUS 1
#define PIXELS
#include "filter/stencil.h"

FN bool is_inside(vec4 c) { return c.z > -1.0e30f; }
FN float image_at(vec4 c, vec4 above, vec4 before) {
    return c.z - c.x - c.y + (is_inside(above) ? above.x : 0.0f) + (is_inside(before) ? before.y : 0.0f);
}
BODY {
    vec4 c = AT(0, 0), below = AT(0, 1), after = AT(1, 0);
    float own = image_at(c, AT(0, -1), AT(-1, 0));
    float down = is_inside(below) ? image_at(below, c, AT(-1, 1)) - own : 0.0f;
    float across = is_inside(after) ? image_at(after, AT(1, -1), c) - own : 0.0f;
    float scale = 1.0f / (1.0f + 0.25f / P.weight * sqrt(down * down + across * across));
    vec4 field = rgba((c.x - 0.25f * down) * scale, (c.y - 0.25f * across) * scale, c.z, 1.0f);
    bool shows = P.result == 1;
    return rgba(shows ? own : field.x, shows ? own : field.y, shows ? own : field.z, 1.0f);
}
