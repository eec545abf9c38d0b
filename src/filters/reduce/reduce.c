/* SPDX-License-Identifier: MIT */
#define NAME reduce
#define SUMMARY "Reduce the image to one number per channel: its smallest, largest or mean value, or the sum"
#define EXAMPLE "reduce=mean"
#define PARAMS                                                                                                         \
    CHOICE(op, 3, "min|max|sum|mean", "what to compute; full scale is 1")                                              \
    CHOICE(alpha, 0, "straight|premultiplied", "the form of the colors: premultiplied ones count by their alpha")
#define NEED (P.alpha == 0 ? WEFT_NEED_STRAIGHT : WEFT_NEED_PREMULTIPLIED)
#define ALPHA_DOC "alpha=straight: colors do not count by alpha, which is a channel like them; premultiplied: they do"
#include "filter/reduce.h"

static enum weft_reduction reduction(const void *block, int32_t *bins) {
    static const enum weft_reduction ops[] = {WEFT_REDUCE_MIN, WEFT_REDUCE_MAX, WEFT_REDUCE_SUM, WEFT_REDUCE_MEAN};
    *bins = 1;
    return ops[((const struct BLOCK *)block)->op];
}
