/* SPDX-License-Identifier: MIT
 * What extremum, rank and box share: the piece of a row that they read, and values outside the image. */
#ifndef CPU_HALO_H
#define CPU_HALO_H
#include <math.h>
#include "backend/cpu/steps/lower.h"
#include "base/memory.h"

/* Columns that a strip of `columns` reads at most. */
static inline int64_t around_columns(const struct step *step, int64_t columns, int64_t radius, weft_border border) {
    if (border == WEFT_BORDER_WRAP || radius >= step->width)
        return step->width;
    return columns + 2 * radius < step->width ? columns + 2 * radius : step->width;
}

/* Plane k of a row of any type, at column x. */
static inline const void *around_at(const struct lane *lane, int32_t input, const struct row *row, int k, int64_t x) {
    size_t size = weft_step_element(&lane->stage->steps[input]);
    return (const char *)row->plane[k] + (ptrdiff_t)(x - lane->first[input]) * (ptrdiff_t)size;
}

/* `count` times the value; integers take it limited to their range, infinities being the ends. */
static inline void around_fill(enum weft_row_type type, void *row, int64_t count, float value) {
    float limited = value > 0 ? (value < 1 ? value : 1) : 0;
    if (type == WEFT_ROW_F32)
        for (int64_t x = 0; x < count; x++)
            ((float *)row)[x] = value;
    else if (type == WEFT_ROW_U16)
        for (int64_t x = 0; x < count; x++)
            ((uint16_t *)row)[x] = (uint16_t)((double)limited * 65535 + 0.5); /* f32 has no room for the half */
    else
        for (int64_t x = 0; x < count; x++)
            ((uint8_t *)row)[x] = (uint8_t)(limited * 255.0f + 0.5f);
}

/* The border_value of a step's node in this run. */
static inline float around_value(const struct lane *lane, const struct step *step) {
    return weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, weft_lane_block(lane, step));
}

/* a + b * c, or SIZE_MAX where that does not fit. */
static inline size_t around_sum(size_t a, size_t b, size_t c) {
    size_t product, sum;
    return weft_multiply(b, c, &product) && weft_add(a, product, &sum) ? sum : SIZE_MAX;
}

#endif
