/* SPDX-License-Identifier: MIT */
#define NAME sharpen
#define SUMMARY "Sharpen: take away a share of the four side neighbors, per color"
#define SOURCE "GPUImage's GPUImageSharpenFilter; unsharp_mask chooses the size of the detail"
#define EXAMPLE "sharpen=0.8"
#define PARAMS FLOAT(sharpness, 0, -4, 4, "", "share of each neighbor that is taken away; below 0 blurs, 0 keeps the image")
#define RADIUS 1
#define LINEAR true
#define KEEP_ALPHA
#include "filter/stencil.h"

BODY {
    float sides = AT(0, -1) + AT(-1, 0) + AT(1, 0) + AT(0, 1);
    return (1.0f + 4.0f * P.sharpness) * AT(0, 0) - P.sharpness * sides;
}
