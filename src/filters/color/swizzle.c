/* SPDX-License-Identifier: MIT */
#define NAME swizzle
#define SUMMARY "Take each channel of the result from one of the image"
#define ALIASES "map_channel"
#define EXAMPLE "swizzle=2:1:0:3"
#define CHANNELS COLOR
#define AFFINE true
#define PARAMS                                                                                                         \
    INT(red, 0, 0, 3, "", "where red comes from: 0 red, 1 green, 2 blue, 3 alpha")                                     \
    INT(green, 1, 0, 3, "", "where green comes from: 0 red, 1 green, 2 blue, 3 alpha")                                 \
    INT(blue, 2, 0, 3, "", "where blue comes from: 0 red, 1 green, 2 blue, 3 alpha")                                   \
    INT(alpha, 3, 0, 3, "", "where alpha comes from: 0 red, 1 green, 2 blue, 3 alpha")
#include "filter/pixel.h"

FN float channel(vec4 c, int k) { return k == 0 ? c.x : (k == 1 ? c.y : (k == 2 ? c.z : c.w)); }
BODY {
    return rgba(channel(c, P.red), channel(c, P.green), channel(c, P.blue), channel(c, P.alpha));
}
