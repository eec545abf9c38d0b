/* SPDX-License-Identifier: MIT */
#define NAME channel_mean
#define SUMMARY "One channel: the mean of red, green and blue"
#define EXAMPLE "channel_mean"
#define CHANNELS PLANE
#define ALPHA_DOC ALPHA_DOC_STRAIGHT "; the result has none"
#define AFFINE true
#define TOLERANCE 4e-6
#include "filter/pixel.h"

BODY {
    float mean = (c.x + c.y + c.z) * 0.33333333f;
    return rgba(mean, mean, mean, 1.0f);
}
