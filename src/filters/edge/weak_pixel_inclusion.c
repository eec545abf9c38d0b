/* SPDX-License-Identifier: MIT */
#define NAME weak_pixel_inclusion
#define SUMMARY "White where a pixel is not black and it and its 8 neighbors sum to 1.5: the last step of GPUImage's canny"
#define SOURCE "GPUImage; hysteresis reaches further"
#define EXAMPLE "sobel,levels=0.3,weak_pixel_inclusion"
#define TOLERANCE 1
#define LUMINANCE
#define RADIUS 1
#include "filter/stencil.h"

BODY {
    float sum = AT(-1, -1) + AT(0, -1) + AT(1, -1) + AT(-1, 0) + AT(0, 0) + AT(1, 0) + AT(-1, 1) + AT(0, 1) + AT(1, 1);
    return AT(0, 0) >= 0.01f && sum >= 1.5f ? 1.0f : 0.0f;
}
