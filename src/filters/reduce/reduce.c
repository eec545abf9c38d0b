/* SPDX-License-Identifier: MIT */
#define NAME reduce
#define SUMMARY "Reduce the image to one number per channel: its smallest, largest or mean value, or the sum"
#define EXAMPLE "reduce=mean"
#define PARAMS CHOICE(op, 3, "min|max|sum|mean", "what to compute; full scale is 1")
#include "filter/reduce.h"

static enum weft_reduction reduction(const void *block, int32_t *bins) {
    static const enum weft_reduction ops[] = {WEFT_REDUCE_MIN, WEFT_REDUCE_MAX, WEFT_REDUCE_SUM, WEFT_REDUCE_MEAN};
    *bins = 1;
    return ops[((const struct BLOCK *)block)->op];
}
