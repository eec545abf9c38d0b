/* SPDX-License-Identifier: MIT
 * Boxes and centroids: where the pixels are that have each number. A number's counters begin at 0, which means no pixel. For BOXES
 * they are FAR - left, FAR - top, right and bottom, of which the largest are kept; for CENTROIDS the number of pixels and the sums
 * of their x and y. */
#ifndef CPU_PLACES_H
#define CPU_PLACES_H
#include "backend/cpu/steps/reduce/reduce.h"

static inline bool weft_reduces_places(enum weft_reduction what) {
    return what == WEFT_REDUCE_BOXES || what == WEFT_REDUCE_CENTROIDS;
}
/* Takes pixels first .. first + count of row y. */
void weft_places_row(const struct reduce *reduce, uint64_t *counters, const float *row, int64_t first, int64_t y, int count);
void weft_places_merge(const struct reduce *reduce, uint64_t *total, const uint64_t *other);
void weft_places_finish(const struct reduce *reduce, const uint64_t *total, double *numbers);

#endif
