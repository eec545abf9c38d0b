/* SPDX-License-Identifier: MIT
 * Sums of whole numbers are exact on every device as long as they stay below 2^24, in any order. Those of a window would
 * not, so each of two digits is summed by itself, and digits_mean puts them together. */
#define NAME digit
#define SUMMARY "One of the two digits to the base 4096 of each whole number, the high one with the sign: for harris"
#define EXAMPLE "luminance_steps=8191:1,digit=low,correlate_separable=0.000244"
#define ALPHA ANY
#define TOLERANCE 1
#define PARAMS CHOICE(which, 0, "high|low", "the floor of a 4096th, or what is left of it")
#include "filter/channel.h"

BODY {
    float high = floor(v * (1.0f / 4096.0f));
    return P.which == 0 ? high : v - 4096.0f * high;
}
