/* SPDX-License-Identifier: MIT */
#define NAME solarize
#define SUMMARY "Make a negative of what is bright, as film that saw light while it was developed"
#define EXAMPLE "solarize=0.5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.5, 0, 1, "", "a channel from here on is inverted")                                              \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: all channels, where the luminance is not above the threshold")
#include "filter/pixel.h"

BODY {
    float y = luminance(c), turned = y <= P.threshold ? 1.0f : 0.0f;
    float r = P.compat != 0 ? turned : step(P.threshold, c.x), g = P.compat != 0 ? turned : step(P.threshold, c.y);
    float b = P.compat != 0 ? turned : step(P.threshold, c.z);
    return rgba(r > 0.0f ? 1.0f - c.x : c.x, g > 0.0f ? 1.0f - c.y : c.y, b > 0.0f ? 1.0f - c.z : c.z, c.w);
}
