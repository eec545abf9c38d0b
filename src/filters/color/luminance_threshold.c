/* SPDX-License-Identifier: MIT
 * The result jumps at the threshold, so where the luminance is within rounding of it devices may differ by all. Levels of 8
 * and 16 bits are rounded as floats, and so are means of them that a threshold is taken from: what is eight roundings below
 * still reaches it. */
#define NAME luminance_threshold
#define SUMMARY "White where the luminance reaches a threshold, black elsewhere"
#define ALIASES "threshold"
#define CHANNELS GREY
#define TOLERANCE 1
#define BINARY true
#define PARAMS FLOAT(threshold, 0.5, 0, UNBOUNDED, "", "luminance from which on the result is white, 1 being full scale")
#include "filter/pixel.h"

MARGIN { return luminance(c) - P.threshold * 0.9999995f; }
BODY {
    float v = step(0.0f, MARGIN_NAME(c, P));
    return rgba(v, v, v, c.w);
}
