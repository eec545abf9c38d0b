/* SPDX-License-Identifier: MIT */
#define NAME take_channel
#define SUMMARY "One channel of the image as a gray one without alpha"
#define EXAMPLE "take_channel=2"
#define CHANNELS PLANE
#define ALPHA_DOC ALPHA_DOC_STRAIGHT "; the result has none"
#define EXACT true
#define PARAMS INT(channel, 0, 0, 3, "", "0 red, 1 green, 2 blue, 3 alpha; of two channels 3 is the second")
#include "filter/pixel.h"

BODY {
    float one = P.channel == 0 ? c.x : (P.channel == 1 ? c.y : (P.channel == 2 ? c.z : c.w));
    return rgba(one, one, one, 1.0f);
}
