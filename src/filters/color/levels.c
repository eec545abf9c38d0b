/* SPDX-License-Identifier: MIT */
#define NAME levels
#define SUMMARY "Stretch the range from in_min to in_max over out_min to out_max, bent by gamma, per channel"
#define EXAMPLE "levels=in_min=0.1:gamma=1.3:in_max=0.85"
#define APART true
#define PARAMS                                                                                                         \
    COLOR(in_min, 0, 0, 0, 0, 0, 1, "what becomes out_min, as is everything below; red, green, blue")                  \
    COLOR(gamma, 1, 1, 1, 1, 0.1, 10, "above 1 brightens the middle")                                                \
    COLOR(in_max, 1, 1, 1, 1, 0, 1, "what becomes out_max, as is everything above; not above in_min: a step there")    \
    COLOR(out_min, 0, 0, 0, 0, 0, 1, "the new darkest value")                                                          \
    COLOR(out_max, 1, 1, 1, 1, 0, 1, "the new brightest value")
#include "filter/pixel.h"

/* As an f32 a byte and a parameter that stand for the same number differ by up to two units in the last place, which a root makes
 * many steps of: what exceeds the lowest value by no more than that is this value. */
FN float level(float v, float low, float exponent, float high, float out_low, float out_high) {
    float span = high - low, above = v - low, none = 2.4e-7f * low;
    float t = clamp((above > none ? above : 0.0f) / (span > 0.0f ? span : 1.0f), 0.0f, 1.0f);
    return mix(out_low, out_high, span > 0.0f ? pow(t, exponent) : step(-none, above));
}
BODY {
    return rgba(level(c.x, P.in_min.x, 1.0f / P.gamma.x, P.in_max.x, P.out_min.x, P.out_max.x),
                level(c.y, P.in_min.y, 1.0f / P.gamma.y, P.in_max.y, P.out_min.y, P.out_max.y),
                level(c.z, P.in_min.z, 1.0f / P.gamma.z, P.in_max.z, P.out_min.z, P.out_max.z), c.w);
}
