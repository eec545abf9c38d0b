/* SPDX-License-Identifier: MIT */
#define NAME channel_gain
#define SUMMARY "Multiply red, green and blue by factors of their own"
#define ALIASES "rgb"
#define EXAMPLE "channel_gain=1.2:1:0.7"
#define CHANNELS COLOR
#define APART true
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOAT(red, 1, 0, UNBOUNDED, "", "factor on red; 1 keeps it")                                                       \
    FLOAT(green, 1, 0, UNBOUNDED, "", "factor on green")                                                               \
    FLOAT(blue, 1, 0, UNBOUNDED, "", "factor on blue")
#include "filter/pixel.h"

BODY {
    return rgba(c.x * P.red, c.y * P.green, c.z * P.blue, c.w);
}
