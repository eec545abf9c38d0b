/* SPDX-License-Identifier: MIT */
#define NAME average_color
#define SUMMARY "The mean of each channel over the whole image: one pixel"
#define ALIASES "mean"
#include "filter/reduce.h"

static enum weft_reduction reduction(const void *block, int32_t *bins) {
    *bins = 1;
    return WEFT_REDUCE_MEAN;
}
