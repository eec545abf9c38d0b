/* SPDX-License-Identifier: MIT
 * Kind: resample, each output row and column a weighted sum of a few of the input's. The file defines `axis`
 * (filter/filter.h) with the helps of filter/help/axis.h; the output has the axes' sizes. AVERAGES true: no weight is below 0. */
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#define KIND_DYNAMIC false
#include "filter/template.h"
#include "filter/help/axis.h"
static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *axis,
                        weft_error *error);
#ifdef MOVES
static bool MOVES(const void *block);
#else
#define MOVES NULL
#endif
#ifndef AVERAGES
#define AVERAGES false
#endif
DESCRIPTOR("resample", 1)
    .kind = WEFT_KIND_RESAMPLE, .border = BORDER_INDEX, .axis = axis, .moves = MOVES, .averages = AVERAGES };
