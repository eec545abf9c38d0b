/* SPDX-License-Identifier: MIT */
#define NAME blend_dissolve
#define SUMMARY "Cross-fade two images: mix all four channels as they are stored"
#define ALIASES "blend_crossfade crossfade"
#define EXAMPLE "split[a][b];[b]grayscale,sobel[c];[a][c]blend_dissolve=0.6"
#define PARAMS FLOAT(mix, 0.5, 0, 1, "", "0 is the first image, 1 the second")
#include "filter/pixel2.h"

BODY {
    return rgba(mix(base.x, over.x, P.mix), mix(base.y, over.y, P.mix), mix(base.z, over.z, P.mix),
                mix(base.w, over.w, P.mix));
}
