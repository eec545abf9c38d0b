/* SPDX-License-Identifier: MIT */
#define NAME grayscale
#define SUMMARY "Make one grey channel from red, green and blue; alpha is kept"
#define ALIASES "greyscale luminance desaturate"
#define CHANNELS GREY
#define ROLE LUMINANCE
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOATS(weights, 3, "0.2125|0.7154|0.0721", -UNBOUNDED, UNBOUNDED,                                                  \
           "shares of red, green and blue; the default is the luminance of BT.709")
#include "filter/pixel.h"

BODY {
    float y = P.weights[0] * c.x + P.weights[1] * c.y + P.weights[2] * c.z;
    return rgba(y, y, y, c.w);
}
