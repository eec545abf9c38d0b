/* SPDX-License-Identifier: MIT
 * What the step of a reduction knows, and how its partial results are laid out: for a histogram counters (uint64_t),
 * plane after plane, `tables` tables of `stride` counters each; for boxes and centroids one table, so many counters for each number
 * (places.h); otherwise a double per plane. */
#ifndef CPU_REDUCE_H
#define CPU_REDUCE_H
#include "backend/cpu/pipeline/reduction.h"

struct reduce {
    enum weft_reduction what;
    int32_t steps, bins; /* of the image's format, 0 for floats; of a histogram */
    int32_t tables;
    size_t stride;
};

/* Images of u8 count their 256 values, of which the bins are made in the end; others count bins. */
static inline int32_t weft_reduce_bins_counted(const struct reduce *reduce) {
    return reduce->steps == 255 ? 256 : reduce->bins;
}
/* Where a plane's tables begin among the counters of a result. */
static inline size_t weft_reduce_table(const struct reduce *reduce, int32_t plane) {
    return (size_t)plane * (size_t)reduce->tables * reduce->stride;
}
static inline uint64_t *weft_reduce_counters(const struct reduce *reduce, double *partial, int32_t plane) {
    return (uint64_t *)(void *)partial + weft_reduce_table(reduce, plane);
}
/* A plane's table in a closed partial result or in a total: the first, to which the others were added. */
static inline const uint64_t *weft_reduce_closed(const struct reduce *reduce, const double *total, int32_t plane) {
    return (const uint64_t *)(const void *)total + weft_reduce_table(reduce, plane);
}

#endif
