/* SPDX-License-Identifier: MIT
 * What convolve_separable and correlate_separable share: weights along an axis from a list that the user gave. */
#ifndef BLUR_KERNEL_LIST_H
#define BLUR_KERNEL_LIST_H
#include "base/memory.h"
#include "base/status.h"
#include "filter/filter.h"
#include "filter/help/kernel_alpha.h"

#define KERNEL_LIST_PARAMS                                                                                             \
    LIST(row, "1", "weights along x, an odd number of them; 1 alone keeps the rows")                                   \
    LIST(column, "1", "weights along y, an odd number of them; 1 alone keeps the columns")               \
    KERNEL_ALPHA

static inline weft_status kernel_list_check(weft_list list, const char *name, weft_error *error) {
    if (list.count % 2 == 1)
        return WEFT_OK;
    weft_fail(error, WEFT_ERROR_PARAMETER, "%s has %d weights; their number must be odd, so that one is in the middle",
              name, (int)list.count);
    weft_error_at(error, -1, NULL, name);
    return WEFT_ERROR_PARAMETER;
}

static inline weft_status kernel_list_taps(weft_list list, bool flip, struct weft_taps *taps, weft_error *error) {
    taps->radius = list.count / 2;
    taps->weight = weft_allocate((size_t)list.count, sizeof *taps->weight);
    if (!taps->weight)
        return weft_fail_memory(error, (size_t)list.count * sizeof *taps->weight, "weights");
    for (int32_t k = 0; k < list.count; k++)
        taps->weight[k] = list.values[flip ? list.count - 1 - k : k];
    return WEFT_OK;
}

#endif
