/* SPDX-License-Identifier: MIT
 * What all forms of extrema share: which rows and columns an output needs, a lane's memory, and extrema along the row that the
 * extrema down the columns have been written to, with pads. */
#include <string.h>
#include "backend/cpu/steps/extremum/extremum.h"

/* bytes of a row that are made at a time, down the columns and then along, so that what lies between stays in the first-level
 * cache */
#define PIECE 2048

size_t weft_extremum_stride(const struct step *step, int64_t columns) {
    const struct extremum *e = step->data;
    return weft_round_up(weft_step_element(step) *
                         (size_t)(around_columns(step, columns, e->radius_x, e->border) + 2 * e->radius_x));
}

static struct extremum_rows rows_of(const struct step *step, struct extremum_memory *memory) {
    struct extremum_rows r = {.stride = weft_extremum_stride(step, step->max_columns)};
    r.line = (char *)memory + weft_round_up(sizeof *memory);
    r.spare = r.line + r.stride;
    r.outside = r.spare + r.stride;
    r.blocks = r.outside + r.stride;
    return r;
}

size_t weft_extremum_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)in_columns;
    return weft_round_up(sizeof(struct extremum_memory)) + 3 * weft_extremum_stride(step, columns);
}

void weft_extremum_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct extremum *e = step->data;
    (void)i;
    weft_rows_around(y, e->radius_y, step->height, e->border, first, last);
}

void weft_extremum_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct extremum *e = step->data;
    (void)i;
    weft_columns_around(x0, x1, e->radius_x, step->width, e->border, first, end);
}

static float outside_value(const struct lane *lane, const struct step *step) {
    const struct extremum *e = step->data;
    if (e->border == WEFT_BORDER_CONSTANT)
        return around_value(lane, step);
    return e->maximum ? -INFINITY : INFINITY;
}

void weft_extremum_finish(struct lane *lane, const struct step *step, const struct extremum_memory *memory, void *out) {
    const struct extremum *e = step->data;
    const struct extremum_rows *r = &memory->rows;
    size_t size = weft_step_element(step), pad = (size_t)e->radius_x * size;
    size_t row = (size_t)(memory->end - memory->first) * size;
    int64_t x0 = weft_lane_first(lane, step);
    memcpy(r->line, r->line + row, pad);
    memcpy(r->line + pad + row, r->line + pad, pad);
    lane->kernels->extremum_line[step->type](e->maximum, r->line + (size_t)(x0 - memory->first) * size, r->spare,
                                             2 * e->radius_x + 1, step->interleave, out,
                                             (weft_lane_end(lane, step) - x0) * step->interleave);
}

void weft_extremum_begin(struct lane *lane, const struct step *step) {
    const struct extremum *e = step->data;
    struct extremum_memory *memory = weft_lane_state(lane, step);
    if (weft_lane_first(lane, step) >= weft_lane_end(lane, step)) /* nothing of it lies in this tile */
        return;
    *memory = (struct extremum_memory){.rows = rows_of(step, memory)};
    around_fill(step->type, memory->rows.outside, (int64_t)(memory->rows.stride / weft_row_type_size(step->type)),
                outside_value(lane, step));
    weft_columns_around(weft_lane_first(lane, step), weft_lane_end(lane, step), e->radius_x, step->width, e->border,
                        &memory->first, &memory->end);
}

void weft_extremum_run_pieces(struct lane *lane, const struct step *step, extremum_down *down, const void *row,
                              char *out) {
    const struct extremum *e = step->data;
    const struct extremum_memory *memory = weft_lane_state(lane, step);
    const struct extremum_rows *r = &memory->rows;
    int64_t size = (int64_t)weft_row_type_size(step->type), apart = step->interleave, beside = 2 * e->radius_x * apart;
    int64_t x0 = weft_lane_first(lane, step), all = (weft_lane_end(lane, step) - x0) * apart;
    int64_t piece = PIECE / size > 16 * beside ? PIECE / size : 16 * beside;
    /* The first element of the line is that of column x0 - radius_x. Elements from .. to - 1 of it are inside the image. */
    int64_t from = (memory->first - x0 + e->radius_x) * apart, to = (memory->end - x0 + e->radius_x) * apart;
    for (int64_t begin = 0, n; begin < all; begin += n) {
        n = all - begin < piece ? all - begin : piece;
        int64_t end = begin + n + beside, low = begin > from ? begin : from, high = end < to ? end : to;
        memcpy(r->line, r->outside, (size_t)((low - begin) * size));
        memcpy(r->line + (high - begin) * size, r->outside, (size_t)((end - high) * size));
        down(lane, step, row, low - from, high - low, r->line + (low - begin) * size);
        lane->kernels->extremum_line[step->type](e->maximum, r->line, r->spare, 2 * e->radius_x + 1, apart,
                                                 out + begin * size, n);
    }
}
