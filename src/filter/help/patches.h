/* SPDX-License-Identifier: MIT
 * The first parameters of filters of kind patch. */
#ifndef FILTER_PATCHES_H
#define FILTER_PATCHES_H
#include <stdint.h>

struct weft_patches {
    float h;               /* strength: patches whose mean squared difference is h * h have the weight 1 / e */
    int32_t patch, search; /* pixels on each side */
    float sigma, cutoff;   /* of the noise: 2 sigma * sigma is subtracted; differences above cutoff * h * h have the weight 0 */
};
struct weft_squares {
    int32_t radius; /* squares are radius + 1 wide */
};
struct weft_guided {
    int32_t radius; /* windows have 2 radius + 1 pixels each way, those that are inside */
    float eps;
    int32_t channels; /* 0: the guide is the luminance; 1: each channel is its own */
};

#endif
