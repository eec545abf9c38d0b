/* SPDX-License-Identifier: MIT */
#define NAME correlate_separable
#define SUMMARY "Replace each pixel by a sum of its neighbours, weighted by a row and a column as they stand"
#define ALIASES "sepfilter2d"
#define EXAMPLE "correlate_separable=1|2|1|0|-1|-2|-1:0.25|0.5|0.25,brightness=0.5"
#define PARAMS KERNEL_LIST_PARAMS
#define CHECK check
#include "filters/blur/kernel_list.h"
#include "filter/separable.h"

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    weft_status status = kernel_list_check(p->row, "row", error);
    return status == WEFT_OK ? kernel_list_check(p->column, "column", error) : status;
}
static weft_status taps(const void *block, enum weft_direction direction, bool precise, struct weft_taps *taps,
                        weft_error *error) {
    const struct BLOCK *p = block;
    return kernel_list_taps(direction == WEFT_X ? p->row : p->column, false, taps, error);
}
