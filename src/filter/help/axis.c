/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "filter/filter.h"

void weft_axis_clear(struct weft_axis *axis) {
    weft_free(axis->first);
    weft_free(axis->weight);
    *axis = (struct weft_axis){0};
}
