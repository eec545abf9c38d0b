/* SPDX-License-Identifier: MIT
 * The sums down the columns of box filters, and where they lie in a lane's memory.
 *
 * Integer rows keep exact running sums of the columns: a row comes in, a row goes out. Rows of f32 keep, in double precision,
 * blocks of 2 radius + 1 rows as extremum does: the sums of the end of one block, and the running sum of the next. The sums
 * themselves are added in double precision and kept in single. Nothing is ever subtracted. So an infinity or a huge number does not
 * change rows whose windows do not contain it, and a result does not depend on where a band begins. */
#include <string.h>
#include "backend/cpu/steps/box/box.h"

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at = around_sum(begin, count, size);
    *at = *at < SIZE_MAX - 64 ? weft_round_up(*at) : SIZE_MAX;
    return begin;
}

size_t weft_box_lay_out(const struct step *step, int64_t columns, char *memory, struct box_pieces *p) {
    const struct box *box = step->data;
    bool wide = box->sums == WEFT_BOX_F32;
    size_t at = weft_round_up(sizeof(struct box_memory)), out = (size_t)columns;
    size_t in = (size_t)around_columns(step, columns, box->radius_x, box->border);
    size_t padded = (in + 2 * (size_t)box->radius_x) * (size_t)step->interleave;
    size_t offset[10];
    p->line_bytes = weft_round_up(padded * box_column_size(box));
    p->row_bytes = weft_round_up(in * sizeof(float));
    p->doubles_bytes = weft_round_up(in * sizeof(double));
    offset[0] = take(&at, box_has_zeros(box) ? out : 0, sizeof *p->inside);
    offset[1] = take(&at, box_has_zeros(box) ? out : 0, sizeof *p->share);
    offset[2] = take(&at, wide ? in : 0, sizeof *p->zeros);
    offset[3] = take(&at, wide ? 1 : (size_t)step->planes, p->line_bytes);
    offset[4] = take(&at, wide, p->line_bytes);
    offset[5] = take(&at, wide, p->line_bytes);
    offset[6] = take(&at, around_sum(0, out, (size_t)step->interleave), box_sum_size(box));
    offset[7] = take(&at, wide ? around_sum(0, (size_t)step->planes, 2 * (size_t)box->radius_y + 2) : 0, p->row_bytes);
    offset[8] = take(&at, wide ? (size_t)step->planes : 0, p->doubles_bytes);
    offset[9] = take(&at, wide ? (size_t)step->planes : 0, p->doubles_bytes);
    if (memory) {
        p->inside = (double *)(void *)(memory + offset[0]);
        p->share = (double *)(void *)(memory + offset[1]);
        p->zeros = (float *)(void *)(memory + offset[2]);
        p->line = memory + offset[3];
        p->spare[0] = memory + offset[4], p->spare[1] = memory + offset[5];
        p->sums = memory + offset[6];
        p->blocks = memory + offset[7];
        p->running = memory + offset[8];
        p->ends = memory + offset[9];
    }
    return at;
}

struct row weft_box_fetch(const struct box_row *w, int64_t v) {
    return weft_lane_fetch_border(w->lane, w->step->inputs[0], v, w->box->border);
}
static const void *plane_of(const struct box_row *w, const struct row *row, int32_t k) {
    return row->plane[0] ? around_at(w->lane, w->step->inputs[0], row, k, w->in_first) : NULL;
}
static const float *numbers_of(const struct box_row *w, const struct row *row, int32_t k) {
    const float *plane = plane_of(w, row, k);
    return plane ? plane : w->p.zeros;
}

/* Has the rows around y made from top to bottom, so that they can be fetched in any order. */
static void fetch_all(const struct box_row *w) {
    int64_t first, last;
    weft_rows_around(w->y, w->box->radius_y, w->step->height, w->box->border, &first, &last);
    for (int64_t v = first; v <= last; v++)
        weft_lane_fetch(w->lane, w->step->inputs[0], v);
}

void weft_box_slide(const struct box_row *w, bool goes_on) {
    int64_t radius = w->box->radius_y;
    size_t pad = (size_t)w->box->radius_x * (size_t)w->step->interleave * box_column_size(w->box);
    if (!goes_on)
        fetch_all(w);
    for (int64_t v = goes_on ? w->y + radius : w->y - radius; v <= w->y + radius; v++) {
        struct row none = {{NULL}}, enter = weft_box_fetch(w, v),
                   leave = goes_on ? weft_box_fetch(w, v - 2 * radius - 1) : none;
        for (int32_t k = 0; k < w->step->planes; k++) {
            char *line = w->p.line + (size_t)k * w->p.line_bytes;
            if (!goes_on && v == w->y - radius)
                memset(line, 0, w->p.line_bytes);
            w->lane->kernels->box_slide[w->box->sums][w->box->in](plane_of(w, &enter, k), plane_of(w, &leave, k),
                                                                  line + pad, w->in_count * w->step->interleave);
        }
    }
}

static float *block_row(const struct box_row *w, int32_t k, int64_t slot) {
    int64_t window = 2 * w->box->radius_y + 1;
    return (float *)(void *)(w->p.blocks + ((size_t)k * (size_t)(window + 1) + (size_t)slot) * w->p.row_bytes);
}
/* Sums in double precision of plane k, of the two rows of them. */
static double *sums_of(const struct box_row *w, char *all, int32_t k) {
    return (double *)(void *)(all + (size_t)k * w->p.doubles_bytes);
}
static void clear(const struct box_row *w, char *all, int32_t k) {
    memset(sums_of(w, all, k), 0, (size_t)w->in_count * sizeof(double));
}

/* Sums of all rows from each row v > above (a row of the same block) to the end `last` of its block. */
static void sum_ends(const struct box_row *w, int64_t above, int64_t last) {
    int64_t window = 2 * w->box->radius_y + 1;
    for (int64_t v = last; v > above; v--) {
        struct row row = weft_box_fetch(w, v);
        int64_t slot = weft_border_modulo(v, window);
        for (int32_t k = 0; k < w->step->planes; k++) {
            if (v == last)
                clear(w, w->p.ends, k);
            w->lane->kernels->box_add(numbers_of(w, &row, k), sums_of(w, w->p.ends, k), block_row(w, k, slot),
                                      w->in_count);
        }
    }
}

/* Takes the rows up to y + radius into the running sums, except the last. */
void weft_box_catch_up(const struct box_row *w) {
    int64_t low = w->y - w->box->radius_y, high = w->y + w->box->radius_y, window = high - low + 1;
    int64_t begin = low + weft_border_modulo(-low, window); /* of a block */
    fetch_all(w);
    if (begin > low)
        sum_ends(w, low - 1, begin - 1);
    for (int64_t v = begin; v < high; v++) {
        struct row row = weft_box_fetch(w, v);
        for (int32_t k = 0; k < w->step->planes; k++) {
            if (v == begin)
                clear(w, w->p.running, k);
            /* What this keeps is not used: the sums of this block's ends are made when the block is complete. */
            w->lane->kernels->box_add(numbers_of(w, &row, k), sums_of(w, w->p.running, k),
                                      (float *)(void *)w->p.spare[0], w->in_count);
        }
    }
}

/* Takes the last row, y + radius, into the running sums of plane k, and adds the end of the block before. */
void weft_box_join(const struct box_row *w, const struct row *last, int32_t k) {
    int64_t slot = weft_border_modulo(w->y + w->box->radius_y, 2 * w->box->radius_y + 1);
    if (slot == 0)
        clear(w, w->p.running, k);
    w->lane->kernels->box_join(numbers_of(w, last, k), sums_of(w, w->p.running, k), block_row(w, k, slot + 1),
                               (float *)(void *)w->p.line + w->box->radius_x, w->in_count);
}

/* Where the rows around y are a whole block, makes the sums of its ends, which the next rows need. */
void weft_box_end_row(const struct box_row *w) {
    int64_t radius = w->box->radius_y, window = 2 * radius + 1;
    if (weft_border_modulo(w->y + radius, window) == window - 1)
        sum_ends(w, w->y - radius, w->y + radius);
}
