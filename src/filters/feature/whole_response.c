/* SPDX-License-Identifier: MIT
 * corner_response of whole numbers: M times a power of two, so that its trace has 24 bits, then products, quotients and
 * roots of that many bits, each rounded down. The result is a whole number of as many bits times a power of two. */
#define NAME whole_response
#define SUMMARY "How much of a corner gradients make, from whole numbers and the same on every device"
#define STEP_OF "harris"
#define SOURCE "Harris and Stephens 1988; Noble 1989; Shi and Tomasi 1994"
#define EXAMPLE "luminance_over_black=whole=1,whole_products,gaussian=2,whole_response=shi_tomasi,gamma=0.3"
#define CHANNELS PLANE
#define ALPHA ANY
#define ALPHA_DOC ALPHA_DOC_ANY "; the result has none"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    CHOICE(measure, 0, "harris|noble|shi_tomasi", "det M - k trace(M)^2; det M / trace M; the smaller eigenvalue of M") \
    FLOAT(k, 0.04, 0, 1, "", "of harris: larger leaves out more edges")                                                \
    INT(factor, 8388608, 0, 16777216, "", "factor on the result, in 2^24ths")                                          \
    INT(exponent, -23, -120, 60, "", "and the power of two by which it is multiplied besides")                         \
    BOOL(clip, 0, "the result ends at 0 and 1")
#include "filter/pixel.h"
#include "filters/feature/whole.h"

FN int whole_limited(float v, float most) { return to_int(min(abs(v), most)); }
FN int not_below_0(int v) { return v > 0 ? v : 0; }
FN int whole_signed(int v, int factor) {
    int size = whole_product(v < 0 ? -v : v, factor);
    return v < 0 ? -size : size;
}

BODY {
    int x = whole_limited(max(c.x, 0.0f), 16777216.0f), y = whole_limited(max(c.y, 0.0f), 16777216.0f);
    int z = whole_limited(c.z, to_float((x + y) >> 1)), half_of = x + y >= 16777216 ? 1 : 0;
    x = x >> half_of;
    y = y >> half_of;
    z = z >> half_of;
    int t = x + y, by_12 = t < 4096 ? 4096 : 1, t_12 = t * by_12, by_6 = t_12 < 262144 ? 64 : 1, t_6 = t_12 * by_6;
    int by_3 = t_6 < 2097152 ? 8 : 1, t_3 = t_6 * by_3, by_2 = t_3 < 4194304 ? 4 : 1, t_2 = t_3 * by_2;
    int many = by_12 * by_6 * by_3 * by_2 * (t_2 < 8388608 ? 2 : 1);
    float unit = (half_of != 0 ? 2.0f : 1.0f) * (t < 4096 ? 0.000244140625f : 1.0f) * (t_12 < 262144 ? 0.015625f : 1.0f) *
                 (t_6 < 2097152 ? 0.125f : 1.0f) * (t_3 < 4194304 ? 0.25f : 1.0f) * (t_2 < 8388608 ? 0.5f : 1.0f);
    x = x * many;
    y = y * many;
    z = z * many;
    t = t * many;
    int det = whole_product(x, y) - whole_product(z, z), gap = x > y ? x - y : y - x;
    int corner = det - whole_product(to_int(floor(P.k * 16777216.0f)), whole_product(t, t));
    int share = whole_ratio(not_below_0(det), t > 8388608 ? t : 8388608);
    int smaller = not_below_0(t - whole_length(gap, 2 * z));
    float other = choose(P.measure == 1, to_float(share), to_float(smaller));
    int v = whole_signed(to_int(choose(P.measure == 0, to_float(corner), other)), P.factor);
    float value = to_float(v) * unit * (P.measure == 0 ? unit : 1.0f) * exp2(to_float(P.exponent));
    value = choose(P.clip != 0, clamp(value, 0.0f, 1.0f), value);
    return rgba(value, value, value, 1.0f);
}
