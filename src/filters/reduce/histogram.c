/* SPDX-License-Identifier: MIT */
#define NAME histogram
#define SUMMARY "Count the values of each channel: a table of bins x 1"
#define EXAMPLE "grayscale,histogram"
#define EXACT true
#define PARAMS                                                                                                         \
    INT(bins, 256, 1, 65536, "",                                                                                       \
        "equal parts of [0, 1]; what lies outside counts in the first or last, 8 and 16 bits by their nearest step")
#include "filter/reduce.h"

static enum weft_reduction reduction(const void *block, int32_t *bins) {
    *bins = ((const struct BLOCK *)block)->bins;
    return WEFT_REDUCE_HISTOGRAM;
}
