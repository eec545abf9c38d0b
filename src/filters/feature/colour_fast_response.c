/* SPDX-License-Identifier: MIT
 * Where rounding alone would decide the direction, it is 0: where the difference is below 1e-4, and by a component of the
 * direction below 1e-5, so that in a picture whose rows are alike it does not turn from one end of its range to the other. */
#define NAME colour_fast_response
#define SUMMARY "How eight pixels around differ from the one in the middle: the difference as color, its direction as alpha"
#define ALIASES "color_fast_response"
#define SOURCE "GPUImage's GPUImageColourFASTSamplingOperation"
#define EXAMPLE "box=2,colour_fast_response"
#define CHANNELS ADD_ALPHA
#define ALPHA STRAIGHT
#define TOLERANCE 1 /* where the direction turns from one end of its range to the other */
#define STEADY_TOLERANCE 1e-3
#define PIXELS
#define RADIUS 3
#include "filter/stencil.h"

FN vec4 plus(vec4 a, vec4 b) { return rgba(a.x + b.x, a.y + b.y, a.z + b.z, 0.0f); }
FN vec4 minus(vec4 a, vec4 b) { return rgba(a.x - b.x, a.y - b.y, a.z - b.z, 0.0f); }
FN float steady(float v) { return abs(v) < 1e-5f ? 0.0f : v; }
FN float along(float x, float y, float z, vec4 of) { return abs(x) * of.x + abs(y) * of.y + abs(z) * of.z; }

BODY {
    vec4 right = plus(AT(3, 1), AT(3, -1)), left = plus(AT(-3, 1), AT(-3, -1));
    vec4 below = plus(AT(1, 3), AT(-1, 3)), above = plus(AT(1, -3), AT(-1, -3));
    vec4 near_right = plus(AT(1, 3), AT(1, -3)), near_left = plus(AT(-1, 3), AT(-1, -3));
    vec4 near_below = plus(AT(3, 1), AT(-3, 1)), near_above = plus(AT(3, -1), AT(-3, -1));
    vec4 wide_x = minus(right, left), thin_x = minus(near_right, near_left);
    vec4 wide_y = minus(below, above), thin_y = minus(near_below, near_above);
    vec4 sum = plus(plus(right, left), plus(below, above)), c = AT(0, 0);
    float r = sum.x / 8.0f - c.x, g = sum.y / 8.0f - c.y, b = sum.z / 8.0f - c.z;
    float length = sqrt(r * r + g * g + b * b), over = length > 1e-4f ? 1.0f / length : 0.0f;
    float x = (0.94868330f * along(r, g, b, wide_x) + 0.31622777f * along(r, g, b, thin_x)) * over;
    float y = (0.94868330f * along(r, g, b, wide_y) + 0.31622777f * along(r, g, b, thin_y)) * over;
    float turn = length > 1e-4f ? atan2(steady(y), steady(x)) : 0.0f;
    return rgba(0.5f * r + 0.5f, 0.5f * g + 0.5f, 0.5f * b + 0.5f, (turn + 3.14159265f) / 6.28318531f);
}
