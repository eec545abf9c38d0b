/* SPDX-License-Identifier: MIT
 * For lookups of places: whether a piece of a row is one that place_map makes, and what they share otherwise. */
#ifndef TONE_PIECE_OF_MAP_H
#define TONE_PIECE_OF_MAP_H
#include "kernels/lookup.h"
#include "kernels/rows.h"

/* Whether columns follow one another in one row, and the table has rows of f32. */
static inline bool piece_of_map(const struct weft_lookup_call *call) {
    const float *column = call->in[0], *row = call->in[1], x = column[0], y = row[0];
    int other = !(x > -1e6f) | !(x < 1e6f) | !(y > -1e6f) | !(y < 1e6f);
    _Pragma("omp simd reduction(| : other)") for (int i = 0; i < call->count; i++)
        other |= (column[i] != x + (float)i) | (row[i] != y);
    return !other && call->table->type == WEFT_F32 && call->table->pixel_bytes == (ptrdiff_t)sizeof(float);
}

static inline const float *table_row(const struct weft_table *table, int row) {
    return (const float *)(const void *)(table->plane[0] + row * table->row_bytes);
}

/* What a body makes of grey besides out[0], for results of one channel, of which nobody reads the others, or with alpha. */
static inline void finish_grey(const struct weft_lookup_call *call) {
    for (int i = 0; i < call->count; i++)
        call->out[3][i] = 1.0f;
}

#endif
