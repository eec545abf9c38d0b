/* SPDX-License-Identifier: MIT
 * Extrema of small radii, which compare the rows in the input's ring. */
#include "backend/cpu/choose/extremum.h"
#include "backend/cpu/steps/extremum/extremum.h"

struct direct_row {
    const void *const *rows;
    int count;
};
static void down_direct(struct lane *lane, const struct step *step, const void *row, int64_t first, int64_t count,
                        void *out) {
    const struct extremum *e = step->data;
    const struct direct_row *d = row;
    const void *in[2 * CPU_EXTREMUM_DIRECT_RADIUS + 2];
    for (int i = 0; i < d->count; i++)
        in[i] = (const char *)d->rows[i] + (size_t)first * weft_row_type_size(step->type);
    lane->kernels->extremum_rows[step->type](e->maximum, in, d->count, out, count);
}

static void run_direct(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct extremum *e = step->data;
    int32_t input = step->inputs[0];
    size_t pad = (size_t)e->radius_x * weft_step_element(step);
    const struct extremum_memory *memory = weft_lane_state(lane, step);
    int64_t first = memory->first, end = memory->end;
    struct row in[2 * CPU_EXTREMUM_DIRECT_RADIUS + 1];
    int count = 0;
    bool outside = false;
    for (int64_t v = y - e->radius_y; v <= y + e->radius_y; v++)
        if (e->border == WEFT_BORDER_WRAP || (v >= 0 && v < step->height))
            in[count++] = weft_lane_fetch(lane, input, v);
        else
            outside = e->border == WEFT_BORDER_CONSTANT;
    for (int32_t k = 0; k < step->planes; k++) {
        const void *plane[2 * CPU_EXTREMUM_DIRECT_RADIUS + 2];
        for (int i = 0; i < count; i++)
            plane[i] = around_at(lane, input, &in[i], k, first);
        plane[count] = memory->rows.outside;
        if (e->radius_x > 0 && e->border != WEFT_BORDER_WRAP) {
            weft_extremum_run_pieces(lane, step, down_direct, &(struct direct_row){plane, count + outside},
                                     out->plane[k]);
            continue;
        }
        lane->kernels->extremum_rows[step->type](e->maximum, plane, count + outside,
                                                 e->radius_x > 0 ? memory->rows.line + pad : out->plane[k],
                                                 (end - first) * step->interleave);
        if (e->radius_x > 0)
            weft_extremum_finish(lane, step, memory, out->plane[k]);
    }
}

/* Pixel x of plane k, at the left or right edge, whose one neighbour is column `other`; out is its place. */
static void edge_pixel(const struct lane *lane, const struct step *step, const struct row *in, int32_t k, int64_t x,
                       int64_t other, void *out) {
    const struct extremum *e = step->data;
    const void *seen[6];
    for (int i = 0; i < 6; i++)
        seen[i] = around_at(lane, step->inputs[0], &in[i / 2], k, i % 2 ? other : x);
    lane->kernels->extremum_rows[step->type](e->maximum, seen, 6, out, step->interleave);
}

/* Radius 1: in one loop along the rows, so that reads and writes overlap. The outermost pixels, which see two columns, are made one
 * by one; outside the image there is nothing (see extremum.c), unless the border is wrap or constant. */
static void run_square(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct extremum *e = step->data;
    int32_t input = step->inputs[0];
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), apart = step->interleave;
    int64_t from = first > 0 ? first : 1, to = end < step->width ? end : end - 1;
    size_t element = weft_step_element(step);
    struct row in[3];
    weft_lane_fetch_rows(lane, input, y - 1, 3, WEFT_BORDER_REPLICATE, in);
    for (int32_t k = 0; k < step->planes; k++) {
        const void *rows_[3];
        char *result = out->plane[k];
        for (int i = 0; i < 3; i++)
            rows_[i] = around_at(lane, input, &in[i], k, from);
        if (from < to)
            lane->kernels->extremum_square[step->type](e->maximum, rows_, apart,
                                                       result + (size_t)(from - first) * element, (to - from) * apart);
        if (first == 0)
            edge_pixel(lane, step, in, k, 0, step->width > 1 ? 1 : 0, result);
        if (end == step->width && end > 1)
            edge_pixel(lane, step, in, k, end - 1, end - 2, result + (size_t)(end - 1 - first) * element);
    }
}

const struct step_kind weft_extremum_direct = {.name = "extremum",
                                               .rows = weft_extremum_rows,
                                               .columns = weft_extremum_columns,
                                               .state_size = weft_extremum_size,
                                               .begin = weft_extremum_begin,
                                               .run = run_direct};
const struct step_kind weft_extremum_square = {
    .name = "extremum", .rows = weft_extremum_rows, .columns = weft_extremum_columns, .run = run_square};
