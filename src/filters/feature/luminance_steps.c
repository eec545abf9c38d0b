/* SPDX-License-Identifier: MIT
 * Sums of rounded products differ in the last bit from device to device, and what compares neighbors would show it.
 * Whole numbers do not: red, green and blue are rounded to steps first and weighted as integers. */
#define NAME luminance_steps
#define SUMMARY "Luminance as a whole number of steps, the same on every device: for filters that compare pixels"
#define CHANNELS GREY
#define TOLERANCE 1
#define EXAMPLE "luminance_steps=7"
#define PARAMS                                                                                                         \
    INT(steps, 65535, 1, 65535, "", "how many steps full scale has; pixels above 3 times full scale count as that")    \
    BOOL(whole, 0, "leave the result in steps; otherwise it is divided by them, full scale being 1")
#include "filter/pixel.h"

FN int whole_steps(float v, int steps) { return to_int(floor(clamp(v, 0.0f, 3.0f) * to_float(steps) + 0.5f)); }

BODY {
    int sum = 2125 * whole_steps(c.x, P.steps) + 7154 * whole_steps(c.y, P.steps) + 721 * whole_steps(c.z, P.steps);
    float v = to_float((sum + 5000) / 10000);
    v = v / (P.whole != 0 ? 1.0f : to_float(P.steps));
    return rgba(v, v, v, c.w);
}
