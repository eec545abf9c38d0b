/* SPDX-License-Identifier: MIT
 * Extrema of larger radii. The state keeps blocks of 2 radius + 1 rows, that begin at multiples of that in the image:
 * the extremum of rows y - radius .. y + radius is that of the end of one block (a suffix, computed for all rows of the
 * block when it is complete) and of the beginning of the next (the running prefix). */
#include <string.h>
#include "backend/cpu/steps/extremum/extremum.h"

static size_t blocks_size(const struct step *step, int64_t columns, int64_t in_columns) {
    const struct extremum *e = step->data;
    size_t rows = around_sum(0, (size_t)step->planes, (size_t)e->window_y + 1);
    return around_sum(weft_extremum_size(step, columns, in_columns), rows, weft_extremum_stride(step, columns));
}

/* Row v of plane k, which comes in; `begins`: it is the first. */
struct block_row {
    const char *in;
    int64_t v;
    int32_t k;
    bool begins;
};

/* Takes elements of a row in. `out`, if there is one, becomes the extremum of window_y rows up to it. */
static void down_blocks(struct lane *lane, const struct step *step, const void *row, int64_t first, int64_t count,
                        void *out) {
    const struct extremum *e = step->data;
    const struct weft_kernels *kernels = lane->kernels;
    const struct extremum_memory *memory = weft_lane_state(lane, step);
    const struct extremum_rows *r = &memory->rows;
    const struct block_row *b = row;
    size_t size = weft_row_type_size(step->type), at = (size_t)first * size, bytes = (size_t)count * size;
    int64_t slot = weft_border_modulo(b->v, e->window_y), next = slot + 1;
    char *prefix = r->blocks + (size_t)b->k * (size_t)(e->window_y + 1) * r->stride + at, *block = prefix + r->stride;
    char *keep = block + (size_t)slot * r->stride, *suffix = block + (size_t)next * r->stride;
    const char *in = b->in + at;
    if (slot == 0 || b->begins) {
        kernels->extremum_rows[step->type](e->maximum, (const void *[]){in}, 1, keep, count); /* a copy, but for NaN */
        memcpy(prefix, keep, bytes);
        if (out && next < e->window_y)
            kernels->extremum_rows[step->type](e->maximum, (const void *[]){prefix, suffix}, 2, out, count);
    } else if (out && next < e->window_y) {
        kernels->extremum_join[step->type](e->maximum, in, prefix, keep, suffix, out, count);
    } else {
        kernels->extremum_fold[step->type](e->maximum, in, prefix, keep, count);
    }
    if (out && next == e->window_y) /* the window is the block */
        memcpy(out, prefix, bytes);
}

/* A row of plane k goes in; `out`, if there is one, becomes that of the result. */
static void take(struct lane *lane, const struct step *step, const struct block_row *row, char *out) {
    const struct extremum *e = step->data;
    const struct extremum_memory *memory = weft_lane_state(lane, step);
    const struct extremum_rows *r = &memory->rows;
    int64_t count = (memory->end - memory->first) * step->interleave;
    size_t pad = (size_t)e->radius_x * weft_step_element(step);
    if (weft_border_modulo(row->v, e->window_y) == 0 && !row->begins)
        lane->kernels->extremum_suffixes[step->type](
            e->maximum, r->blocks + ((size_t)row->k * (size_t)(e->window_y + 1) + 1) * r->stride, r->stride, e->window_y, count);
    if (!out || e->radius_x == 0) {
        down_blocks(lane, step, row, 0, count, out);
    } else if (e->border == WEFT_BORDER_WRAP) {
        down_blocks(lane, step, row, 0, count, r->line + pad);
        weft_extremum_finish(lane, step, memory, out);
    } else {
        weft_extremum_run_pieces(lane, step, down_blocks, row, out);
    }
}

static void run_blocks(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct extremum *e = step->data;
    int32_t input = step->inputs[0];
    struct extremum_memory *memory = weft_lane_state(lane, step);
    bool goes_on = memory->valid && memory->last == y - 1;
    int64_t v = goes_on ? y + e->radius_y : y - e->radius_y;
    for (bool begins = !goes_on; v <= y + e->radius_y; v++, begins = false) {
        bool inside = e->border == WEFT_BORDER_WRAP || (v >= 0 && v < step->height), last = v == y + e->radius_y;
        struct row in = inside ? weft_lane_fetch(lane, input, v) : (struct row){{NULL}};
        for (int32_t k = 0; k < step->planes; k++) {
            const void *plane = inside ? around_at(lane, input, &in, k, memory->first) : memory->rows.outside;
            take(lane, step, &(struct block_row){plane, v, k, begins}, last ? out->plane[k] : NULL);
        }
    }
    memory->valid = true;
    memory->last = y;
}

const struct step_kind weft_extremum_blocks = {.name = "extremum",
                                               .rows = weft_extremum_rows,
                                               .folds = true,
                                               .columns = weft_extremum_columns,
                                               .state_size = blocks_size,
                                               .begin = weft_extremum_begin,
                                               .run = run_blocks};
