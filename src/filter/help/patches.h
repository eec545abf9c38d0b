/* SPDX-License-Identifier: MIT
 * How the block of a filter of kind patch begins. */
#ifndef FILTER_PATCHES_H
#define FILTER_PATCHES_H
#include <stdint.h>

struct weft_patches {
    float h;               /* a mean square difference of its square weighs 1 / e */
    int32_t patch, search; /* pixels to either side */
    float sigma, cutoff;   /* noise, twice whose square is taken off; squares of h beyond which there is no weight */
};

#endif
