/* SPDX-License-Identifier: MIT */
#define NAME emboss
#define SUMMARY "Raise edges as if light came from the bottom right, per color"
#define SOURCE "GPUImage's GPUImageEmbossFilter: the weights are -2, -1, 0 / -1, 1, 1 / 0, 1, 2"
#define EXAMPLE "emboss=1"
#define PARAMS FLOAT(intensity, 1, 0, 4, "", "factor on the neighbors' weights; 0 keeps the image")
#define RADIUS 1
#define LINEAR true
#define KEEP_ALPHA
#include "filter/stencil.h"

BODY {
    float after = 2.0f * AT(1, 1) + AT(1, 0) + AT(0, 1), before = 2.0f * AT(-1, -1) + AT(-1, 0) + AT(0, -1);
    return AT(0, 0) + P.intensity * (after - before);
}
