/* SPDX-License-Identifier: MIT
 * Dilation and erosion: in one step first down the columns into a row with pads, then along that row, piece by piece.
 *
 * A radius larger than the image is cut, which changes nothing: an extremum does not count how often it sees a value.
 * For the same reason replicate, mirror and symmetric are shrink: what they repeat is within the rectangle already. So
 * outside lies either the neutral element or border_value, or with wrap the image again.
 *
 * Down the columns there are two ways. Small radii compare the rows in the input's ring. Larger ones keep, in the
 * state, blocks of 2 radius + 1 rows, that begin at multiples of that in the image: the extremum of rows y - radius ..
 * y + radius is that of the end of one block (a suffix, computed for all rows of the block when it is complete) and of
 * the beginning of the next (the running prefix). */
#include <string.h>
#include "backend/cpu/around.h"
#include "base/status.h"

#define DIRECT_RADIUS 2 /* by measurement: above, blocks are faster */
#define PIECE 2048      /* bytes of a row that goes down and along by pieces, so that what lies between stays in the nearest cache */

struct extremum {
    int64_t radius_x, radius_y, window_y;
    weft_border border;
    bool maximum;
};

/* A lane's memory, all in one piece: this, then rows of `stride` bytes. */
struct rows_of {
    size_t stride;
    char *line, *spare, *outside, *blocks; /* blocks: per plane the prefix, then the rows of a block */
};
struct memory {
    bool valid;   /* with blocks the rows are */
    int64_t last; /* the row that was made last */
    struct rows_of rows;
    int64_t first, end; /* columns that are read */
};

static size_t stride_of(const struct step *step, int64_t columns) {
    const struct extremum *e = step->data;
    return weft_round_up(weft_step_element(step) *
                         (size_t)(around_columns(step, columns, e->radius_x, e->border) + 2 * e->radius_x));
}

static struct rows_of rows_of(const struct step *step, struct memory *memory) {
    struct rows_of r = {.stride = stride_of(step, step->max_columns)};
    r.line = (char *)memory + weft_round_up(sizeof *memory);
    r.spare = r.line + r.stride;
    r.outside = r.spare + r.stride;
    r.blocks = r.outside + r.stride;
    return r;
}

static size_t direct_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)in_columns;
    return weft_round_up(sizeof(struct memory)) + 3 * stride_of(step, columns);
}

static size_t blocks_size(const struct step *step, int64_t columns, int64_t in_columns) {
    const struct extremum *e = step->data;
    size_t rows = around_sum(0, (size_t)step->planes, (size_t)e->window_y + 1);
    return around_sum(direct_size(step, columns, in_columns), rows, stride_of(step, columns));
}

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct extremum *e = step->data;
    (void)i;
    weft_rows_around(y, e->radius_y, step->height, e->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
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

/* wrap: along x, from the whole line, around whose columns the image goes on: the radius is at most half the width, and all of it
 * is there. */
static void finish(struct lane *lane, const struct step *step, const struct memory *memory, void *out) {
    const struct extremum *e = step->data;
    const struct rows_of *r = &memory->rows;
    size_t size = weft_step_element(step), pad = (size_t)e->radius_x * size;
    size_t row = (size_t)(memory->end - memory->first) * size;
    int64_t x0 = weft_lane_first(lane, step);
    memcpy(r->line, r->line + row, pad);
    memcpy(r->line + pad + row, r->line + pad, pad);
    lane->kernels->extremum_line[step->type](e->maximum, r->line + (size_t)(x0 - memory->first) * size, r->spare,
                                             2 * e->radius_x + 1, step->interleave, out,
                                             (weft_lane_end(lane, step) - x0) * step->interleave);
}

static void begin(struct lane *lane, const struct step *step) {
    const struct extremum *e = step->data;
    struct memory *memory = weft_lane_state(lane, step);
    if (weft_lane_first(lane, step) >= weft_lane_end(lane, step)) /* nothing of it lies in this tile */
        return;
    *memory = (struct memory){.rows = rows_of(step, memory)};
    around_fill(step->type, memory->rows.outside, (int64_t)(memory->rows.stride / weft_row_type_size(step->type)),
                outside_value(lane, step));
    weft_columns_around(weft_lane_first(lane, step), weft_lane_end(lane, step), e->radius_x, step->width, e->border,
                        &memory->first, &memory->end);
}

/* Makes extrema down the columns of `count` elements of a row, from number `first` of those that are read on. */
typedef void down_columns(struct lane *lane, const struct step *step, const void *row, int64_t first, int64_t count,
                          void *out);

/* A row down and then along, piece by piece; not for wrap. Columns that two pieces see are made for both. */
static void run_pieces(struct lane *lane, const struct step *step, down_columns *down, const void *row, char *out) {
    const struct extremum *e = step->data;
    const struct memory *memory = weft_lane_state(lane, step);
    const struct rows_of *r = &memory->rows;
    int64_t size = (int64_t)weft_row_type_size(step->type), apart = step->interleave, beside = 2 * e->radius_x * apart;
    int64_t x0 = weft_lane_first(lane, step), all = (weft_lane_end(lane, step) - x0) * apart;
    int64_t piece = PIECE / size > 16 * beside ? PIECE / size : 16 * beside;
    /* Of the line, whose first element is that of column x0 - radius_x, those from `from` to `to` are there. */
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

struct direct_row {
    const void *const *rows;
    int count;
};
static void down_direct(struct lane *lane, const struct step *step, const void *row, int64_t first, int64_t count,
                        void *out) {
    const struct extremum *e = step->data;
    const struct direct_row *d = row;
    const void *in[2 * DIRECT_RADIUS + 2];
    for (int i = 0; i < d->count; i++)
        in[i] = (const char *)d->rows[i] + (size_t)first * weft_row_type_size(step->type);
    lane->kernels->extremum_rows[step->type](e->maximum, in, d->count, out, count);
}

static void run_direct(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct extremum *e = step->data;
    int32_t input = step->inputs[0];
    size_t pad = (size_t)e->radius_x * weft_step_element(step);
    const struct memory *memory = weft_lane_state(lane, step);
    int64_t first = memory->first, end = memory->end;
    struct row in[2 * DIRECT_RADIUS + 1];
    int count = 0;
    bool outside = false;
    for (int64_t v = y - e->radius_y; v <= y + e->radius_y; v++)
        if (e->border == WEFT_BORDER_WRAP || (v >= 0 && v < step->height))
            in[count++] = weft_lane_fetch(lane, input, v);
        else
            outside = e->border == WEFT_BORDER_CONSTANT;
    for (int32_t k = 0; k < step->planes; k++) {
        const void *plane[2 * DIRECT_RADIUS + 2];
        for (int i = 0; i < count; i++)
            plane[i] = around_at(lane, input, &in[i], k, first);
        plane[count] = memory->rows.outside;
        if (e->radius_x > 0 && e->border != WEFT_BORDER_WRAP) {
            run_pieces(lane, step, down_direct, &(struct direct_row){plane, count + outside}, out->plane[k]);
            continue;
        }
        lane->kernels->extremum_rows[step->type](e->maximum, plane, count + outside,
                                                 e->radius_x > 0 ? memory->rows.line + pad : out->plane[k],
                                                 (end - first) * step->interleave);
        if (e->radius_x > 0)
            finish(lane, step, memory, out->plane[k]);
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

/* Radius 1: in one walk along the rows, so that reading waits beside writing. The outermost pixels, which see two
 * columns, are made one by one; outside them there is nothing (see above), as long as it is neither wrap nor constant.
 */
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
    const struct memory *memory = weft_lane_state(lane, step);
    const struct rows_of *r = &memory->rows;
    const struct block_row *b = row;
    size_t size = weft_row_type_size(step->type), at = (size_t)first * size, bytes = (size_t)count * size;
    int64_t slot = weft_border_modulo(b->v, e->window_y), next = slot + 1;
    char *prefix = r->blocks + (size_t)b->k * (size_t)(e->window_y + 1) * r->stride + at, *block = prefix + r->stride;
    char *keep = block + (size_t)slot * r->stride, *suffix = block + (size_t)next * r->stride;
    const char *in = b->in + at;
    if (slot == 0 || b->begins) {
        memcpy(keep, in, bytes);
        memcpy(prefix, in, bytes);
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
    const struct memory *memory = weft_lane_state(lane, step);
    const struct rows_of *r = &memory->rows;
    int64_t count = (memory->end - memory->first) * step->interleave;
    size_t pad = (size_t)e->radius_x * weft_step_element(step);
    if (weft_border_modulo(row->v, e->window_y) == 0 && !row->begins)
        lane->kernels->extremum_suffixes[step->type](
            e->maximum, r->blocks + ((size_t)row->k * (size_t)(e->window_y + 1) + 1) * r->stride, r->stride, e->window_y, count);
    if (!out || e->radius_x == 0) {
        down_blocks(lane, step, row, 0, count, out);
    } else if (e->border == WEFT_BORDER_WRAP) {
        down_blocks(lane, step, row, 0, count, r->line + pad);
        finish(lane, step, memory, out);
    } else {
        run_pieces(lane, step, down_blocks, row, out);
    }
}

static void run_blocks(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct extremum *e = step->data;
    int32_t input = step->inputs[0];
    struct memory *memory = weft_lane_state(lane, step);
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

static const struct step_kind direct = {
    .name = "extremum", .rows = rows, .columns = columns, .state_size = direct_size, .begin = begin,
    .run = run_direct};
static const struct step_kind square = {.name = "extremum", .rows = rows, .columns = columns, .run = run_square};
static const struct step_kind blocks = {
    .name = "extremum", .rows = rows, .folds = true, .columns = columns, .state_size = blocks_size, .begin = begin,
    .run = run_blocks};

/* The least radius from which on nothing changes any more. */
static int64_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_WRAP ? size / 2 : border == WEFT_BORDER_CONSTANT ? size : size - 1;
    return radius < enough ? radius : enough;
}

weft_status weft_lower_extremum(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct step step = {.inputs = {inputs[0]},
                        .input_count = 1,
                        .node = node,
                        .type = b->stage->steps[inputs[0]].type,
                        .planes = b->stage->steps[inputs[0]].planes,
                        .interleave = b->stage->steps[inputs[0]].interleave,
                        .width = info->width,
                        .height = info->height};
    struct extremum *e = weft_allocate(1, sizeof *e);
    if (!e)
        return weft_fail_memory(error, sizeof *e, "an extremum");
    e->border = weft_filter_border(n->filter, n->block);
    e->maximum = n->filter->maximum;
    e->radius_x = cut(n->filter->reach(n->block, WEFT_X), info->width, e->border);
    e->radius_y = cut(n->filter->reach(n->block, WEFT_Y), info->height, e->border);
    e->window_y = 2 * e->radius_y + 1;
    if (e->radius_x == 0 && e->radius_y == 0) {
        weft_free(e);
        *result = inputs[0];
        return WEFT_OK;
    }
    step.data = e;
    bool outside = e->border == WEFT_BORDER_WRAP || e->border == WEFT_BORDER_CONSTANT;
    step.kind = e->radius_x == 1 && e->radius_y == 1 && !outside ? &square
                : e->radius_y > DIRECT_RADIUS                    ? &blocks
                                                                 : &direct;
    step.late = step.kind != &square;
    /* Past the caches a 3x3 square of bytes of one channel takes 1.1 of its time, of three and four 0.95. */
    bool bytes = step.type == WEFT_ROW_U8 && step.interleave < 3;
    step.divisible = step.kind == &direct || (step.kind == &square && !bytes);
    size_t size = step.kind->state_size ? step.kind->state_size(&step, info->width, info->width) : 0;
    if (size > PTRDIFF_MAX) {
        weft_free(e);
        return weft_fail_memory(error, size, "the rows of an extremum");
    }
    return weft_stage_add(b, &step, result, error);
}
