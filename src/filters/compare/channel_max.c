/* SPDX-License-Identifier: MIT */
#define NAME channel_max
#define SUMMARY "One channel: the largest of red, green and blue"
#define EXAMPLE "channel_max"
#define CHANNELS PLANE
#define ALPHA_DOC ALPHA_DOC_STRAIGHT "; the result has none"
#define EXACT true
#include "filter/pixel.h"

BODY {
    float most = max(c.x, max(c.y, c.z));
    return rgba(most, most, most, 1.0f);
}
