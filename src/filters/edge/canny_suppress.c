/* SPDX-License-Identifier: MIT
 * The comparisons of OpenCV's Canny, in an order that makes them exact where the gradient is in whole numbers (below 2^22;
 * the direction below 2^20), although squares and products would not fit a float: numbers are split into a high and a low
 * part, so that all products and the sums of equal weight are exact, and the largest decides.
 *
 * GPUImage keeps both of two neighbors that are equally long, which are many as its lengths end at 1, and between low and
 * high its result rises by a curve. */
#define NAME canny_suppress
#define SUMMARY "Keep pixels where the gradient, x and y in two channels, is longest along its direction: 1 strong, 0.5 weak"
#define SOURCE "Canny 1986"
#define EXAMPLE "gaussian=1.4,canny_gradient_3,canny_suppress=0.1:0.4"
#define TOLERANCE 1
#define CHANNELS PLANE
#define ALPHA_DOC "takes alpha, where there is one, for the gradient along y; the result has none"
#define LUMINANCE
#define PIXELS
#define RADIUS 1
#define PARAMS                                                                                                         \
    FLOAT(low, 0.1, 0, UNBOUNDED, "", "gradients that are not longer are no edges")                                    \
    FLOAT(high, 0.4, 0, UNBOUNDED, "", "longer ones are edges by themselves, others where they are connected to these") \
    CHOICE(norm, 0, "l1|l2", "the length: the sum of the absolute parts, or the root of the sum of their squares")   \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: lengths are of l2 and end at 1, the result is gradual from low to high")
/* Without roots, and products of parts that do not count. */
#define KNOWN_CASE P.norm == 0 && P.compat == 0
#define KNOWN_SO P.norm = P.compat = 0
#include "filter/stencil.h"

/* Above 0 where (x, y) is longer than (u, v), below where it is shorter, 0 where they are equally long. */
FN float longer(vec4 of, vec4 than, int norm) {
    float x = abs(of.x), y = abs(of.w), u = abs(than.x), v = abs(than.w);
    float x1 = floor(x / 2048.0f), y1 = floor(y / 2048.0f), u1 = floor(u / 2048.0f), v1 = floor(v / 2048.0f);
    float x0 = x - 2048.0f * x1, y0 = y - 2048.0f * y1, u0 = u - 2048.0f * u1, v0 = v - 2048.0f * v1;
    float high = (x1 - u1) * (x1 + u1) + (y1 - v1) * (y1 + v1);
    float middle = 2.0f * ((x1 * x0 - u1 * u0) + (y1 * y0 - v1 * v0));
    float low = (x0 - u0) * (x0 + u0) + (y0 - v0) * (y0 + v0);
    return norm == 0 ? (x + y) - (u + v) : (high * 2048.0f + middle) * 2048.0f + low;
}
/* Above 0 where y is more than x times the tangent of 22.5 degrees, 13573 / 2^15. */
FN float steeper(float y, float x) {
    float x1 = floor(x / 1024.0f);
    return 1024.0f * (32.0f * y - 13573.0f * x1) - 13573.0f * (x - 1024.0f * x1);
}

/* One of three by the direction: along x, along y, or along a diagonal. */
FN vec4 one_of(vec4 beside, vec4 below, vec4 diagonal, float lying, float standing) {
    float x = lying > 0.0f ? beside.x : (standing > 0.0f ? below.x : diagonal.x);
    float y = lying > 0.0f ? beside.w : (standing > 0.0f ? below.w : diagonal.w);
    return rgba(x, 0.0f, 0.0f, y);
}
FN vec4 either(float v, vec4 above, vec4 below) {
    return rgba(v > 0.0f ? above.x : below.x, 0.0f, 0.0f, v > 0.0f ? above.w : below.w);
}

FN float limited(vec4 v) { return min(sqrt(v.x * v.x + v.w * v.w), 1.0f); }

BODY {
    vec4 here = AT(0, 0);
    float x = abs(here.x), y = abs(here.w), lying = -steeper(y, x), standing = steeper(y - 2.0f * x, x);
    float falling = (here.x < 0.0f ? 1.0f : -1.0f) * (here.w < 0.0f ? -1.0f : 1.0f);
    vec4 first = one_of(AT(-1, 0), AT(0, -1), either(falling, AT(1, -1), AT(-1, -1)), lying, standing);
    vec4 second = one_of(AT(1, 0), AT(0, 1), either(falling, AT(-1, 1), AT(1, 1)), lying, standing);
    float before = longer(here, first, P.norm), after = longer(here, second, P.norm);
    /* Where two neighbors have equally long gradients, one of them is kept; on a diagonal, neither is. */
    float tie = after == 0.0f ? max(lying, standing) : after;
    float weak = longer(here, rgba(P.low, 0.0f, 0.0f, 0.0f), P.norm);
    float strong = longer(here, rgba(P.high, 0.0f, 0.0f, 0.0f), P.norm);
    float kept = strong > 0.0f ? 1.0f : (weak > 0.0f ? 0.5f : 0.0f);
    float edge = min(before, tie) > 0.0f ? kept : 0.0f;
    float gradual = limited(here) >= max(limited(first), limited(second)) ? smoothstep(P.low, P.high, limited(here)) : 0.0f;
    return rgba(P.compat == 0 ? edge : gradual, 0.0f, 0.0f, 0.0f);
}
