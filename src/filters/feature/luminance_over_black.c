/* SPDX-License-Identifier: MIT
 * What luminance_steps is to images without alpha: also the product with alpha is made of whole numbers. */
#define NAME luminance_over_black
#define SUMMARY "Luminance over black, without alpha, as a whole number of 65535 steps, the same on every device"
#define CHANNELS PLANE
#define ALPHA ANY
#define ALPHA_DOC "colors are taken as they are, and times alpha where straight=1; the result has none"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    BOOL(straight, 0, "colors are independent of alpha, and still to be multiplied by it")                             \
    BOOL(whole, 0, "leave the result in steps; otherwise it is divided by them, full scale being 1")
#include "filter/pixel.h"
#include "filters/feature/whole.h"

FN int whole_65535(float v, float most) { return to_int(floor(clamp(v, 0.0f, most) * 65535.0f + 0.5f)); }

/* a b / 65535, rounded, for a and b from 0 to 65535. */
FN int whole_share(int a, int b) {
    int high = a * (b >> 8), q = whole_quotient(high, 65535), rest = high - q * 65535;
    return q * 256 + whole_quotient(rest * 256 + a * (b & 255) + 32767, 65535);
}
BODY {
    int sum = 2125 * whole_65535(c.x, 3.0f) + 7154 * whole_65535(c.y, 3.0f) + 721 * whole_65535(c.z, 3.0f);
    int steps = (sum + 5000) / 10000;
    steps = P.straight != 0 ? whole_share(steps < 65535 ? steps : 65535, whole_65535(c.w, 1.0f)) : steps;
    float v = to_float(steps) / (P.whole != 0 ? 1.0f : 65535.0f);
    return rgba(v, v, v, 1.0f);
}
