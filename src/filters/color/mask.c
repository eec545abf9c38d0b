/* SPDX-License-Identifier: MIT */
#define NAME mask
#define SUMMARY "Show the first image where the second is bright and opaque"
#define EXAMPLE "split[a][b];[b]luminance_threshold=0.4,gaussian=3[m];[a][m]mask"
#define CHANNELS ADD_ALPHA
#define PARAMS CHOICE(compat, 0, "none|gpuimage", "gpuimage: the first image's own alpha is dropped")
#include "filter/pixel2.h"

BODY {
    float share = (over.x + over.y + over.z) * 0.33333333f * over.w;
    return rgba(base.x, base.y, base.z, P.compat != 0 ? share : base.w * share);
}
