/* SPDX-License-Identifier: MIT
 * A pixel of the result is the mean over `samples` x `samples` places within it, so that nothing aliases where the map shrinks;
 * each place is had from 2, 4 or 6 pixels along each axis. */
#define NAME projective_several
#define SUMMARY "Show the image through a projective map by a better interpolation, or by several places a pixel"
#define STEP_OF "perspective"
#define SOURCE "Keys 1981 with a = -0.5 (Catmull-Rom) for bicubic, Duchon 1979 for lanczos3"
#define EXAMPLE "projective_several=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#define SEVERAL
#define BORDERS "replicate|mirror|symmetric|wrap|constant" /* negative weights have no mean over the pixels inside */
#define BORDER_DOC "what lies outside the image"
#include "filters/geometry/projective.h"
#define PARAMS                                                                                                         \
    PROJECTIVE_PARAMS                                                                                                  \
    FIXED_CHOICE(method, 1, "bilinear|bicubic|lanczos3", "the interpolation")                                          \
    FIXED_INT(samples, 1, 1, 32, "places", "along each axis of a pixel of the result")
#include "filter/warp.h"

PROJECTIVE_PLACE
FN float cubic(float x) {
    return x < 1.0f ? (1.5f * x - 2.5f) * x * x + 1.0f : ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
}
FN float sinc(float x) { return x < 1e-4f ? 1.0f : sin(3.14159265f * x) / (3.14159265f * x); }
FN float weight_of(int method, float distance) {
    float x = abs(distance);
    float inside = method == 1 ? 2.0f : 3.0f;
    float w = method == 1 ? cubic(x) : sinc(x) * sinc(x / 3.0f);
    return x < inside ? w : 0.0f;
}

PLACES {
    int taps = P.method == 0 ? 1 : 2 * P.method + 2;
    return P.samples * P.samples * taps * taps;
}
BODY {
    int taps = P.method == 0 ? 1 : 2 * P.method + 2, tap = k % (taps * taps), within = k / (taps * taps);
    float share = 1.0f / to_float(P.samples);
    float x = to_float(at.x) + (to_float(within % P.samples) + 0.5f) * share - 0.5f;
    float y = to_float(at.y) + (to_float(within / P.samples) + 0.5f) * share - 0.5f;
    vec2 from = projective_place(x, y, to_float(at.width), to_float(at.height), source, P);
    float column = floor(from.x) + to_float(tap % taps - taps / 2 + 1), row = floor(from.y) + to_float(tap / taps - taps / 2 + 1);
    float weight = weight_of(P.method, from.x - column) * weight_of(P.method, from.y - row);
    return rgba(P.method == 0 ? from.x : column, P.method == 0 ? from.y : row, P.method == 0 ? 1.0f : weight, 0.0f);
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
