/* SPDX-License-Identifier: MIT
 * Helps for the `axis` functions of resampling filters. */
#ifndef FILTER_AXIS_H
#define FILTER_AXIS_H
#include "base/memory.h"
#include "base/status.h"
#include "filter/filter.h"

/* Makes room for `size` outputs of `count` weights each, all 0. */
static inline weft_status weft_axis_allocate(int64_t size, int64_t count, struct weft_axis *table, weft_error *error) {
    *table = (struct weft_axis){.size = 0};
    if (size > WEFT_AXIS_LIMIT)
        return weft_fail(error, WEFT_ERROR_FORMAT, "it would make a side of %lld pixels, and sides that it makes have at most %d",
                         (long long)size, WEFT_AXIS_LIMIT);
    if (size > WEFT_AXIS_WEIGHTS / count)
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "it would weigh %lld pixels for each of %lld along a side, and tables of weights hold at most %d",
                         (long long)count, (long long)size, WEFT_AXIS_WEIGHTS);
    *table = (struct weft_axis){.size = size, .count = (int32_t)count};
    table->first = weft_allocate((size_t)size, sizeof *table->first);
    table->weight = weft_allocate((size_t)size, (size_t)count * sizeof *table->weight);
    if (table->first && table->weight)
        return WEFT_OK;
    weft_free(table->first);
    weft_free(table->weight);
    table->first = NULL, table->weight = NULL;
    return weft_fail_memory(error, (size_t)size * ((size_t)count * sizeof *table->weight + sizeof *table->first),
                            "the weights of an axis");
}

/* Outputs that are the pixels first, first + step, .. as they are. */
static inline weft_status weft_axis_pick(int64_t first, int64_t step, int64_t size, struct weft_axis *table,
                                         weft_error *error) {
    weft_status status = weft_axis_allocate(size, 1, table, error);
    table->exact = true;
    for (int64_t i = 0; status == WEFT_OK && i < size; i++) {
        table->first[i] = first + i * step;
        table->weight[i] = 1;
    }
    return status;
}

#endif
