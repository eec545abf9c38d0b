/* SPDX-License-Identifier: MIT */
#define NAME extreme_of
#define SUMMARY "Of two images the larger or the smaller number, channel by channel, alpha too"
#define EXAMPLE "split[a][b];[b]flip[c];[a][c]extreme_of"
#define EXACT true
#define PARAMS FIXED_CHOICE(op, 0, "larger|smaller", "which")
#ifdef PART_DESCRIPTOR
#include "filter/filter.h"
static enum weft_reduction of_two(const void *block, int32_t *bins);
#define REDUCTION of_two
#endif
#include "filter/pixel2.h"

FN float one_of(float a, float b, int op) { return op == 0 ? max(a, b) : min(a, b); }
BODY {
    return rgba(one_of(base.x, over.x, P.op), one_of(base.y, over.y, P.op), one_of(base.z, over.z, P.op),
                one_of(base.w, over.w, P.op));
}

#ifdef PART_DESCRIPTOR
static enum weft_reduction of_two(const void *block, int32_t *bins) {
    *bins = 1;
    return ((const struct BLOCK *)block)->op == 0 ? WEFT_REDUCE_MAX : WEFT_REDUCE_MIN;
}
#endif
