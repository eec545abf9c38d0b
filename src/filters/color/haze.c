/* SPDX-License-Identifier: MIT */
#define NAME haze
#define SUMMARY "Take a white haze out of the image, or put one in"
#define EXAMPLE "haze=0.2:-0.1"
#define PLACED true
#define PARAMS                                                                                                         \
    FLOAT(distance, 0.2, -0.3, 0.3, "", "amount of haze that is taken out; below 0 it is added")                       \
    FLOAT(slope, 0, -0.3, 0.3, "", "what is added to it from the top to the bottom of the image")
#include "filter/pixel.h"

BODY {
    float haze = (to_float(at.y) + 0.5f) / to_float(at.height) * P.slope + P.distance, clear = 1.0f / (1.0f - haze);
    return rgba((c.x - haze) * clear, (c.y - haze) * clear, (c.z - haze) * clear, c.w);
}
