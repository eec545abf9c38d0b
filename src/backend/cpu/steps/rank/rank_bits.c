/* SPDX-License-Identifier: MIT
 * Medians by bits: the state holds a ring of the window's rows as planes of bits. */
#include <string.h>
#include "backend/cpu/steps/rank/rank.h"

#define SEGMENTS 8

struct memory {
    bool valid;
    int64_t last; /* the row that was made last */
};

struct pieces {
    ptrdiff_t *places;
    char *candidates, *line;    /* a row of values with pads and, behind them, what vectors read beyond */
    unsigned char *bytes, *out; /* rows of them, byte by byte of a value */
    unsigned char *ring;        /* plane by plane of the image, a window of rows each */
    size_t depth, bytes_stride, out_stride, plane_stride, row_bytes;
    int64_t segment, reach, window;
};

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at = around_sum(begin, count, size);
    *at = *at < SIZE_MAX - 64 ? weft_round_up(*at) : SIZE_MAX;
    return begin;
}

static size_t lay_out(const struct step *step, int64_t columns, char *memory, struct pieces *p) {
    const struct rank *rank = step->data;
    size_t at = weft_round_up(sizeof(struct memory)), offset[6], window, line;
    p->depth = weft_row_type_size(step->type);
    p->window = 2 * rank->radius + 1;
    p->reach = rank->radius;
    p->segment = (columns + SEGMENTS - 1) / SEGMENTS;
    window = (size_t)(p->window * p->window);
    line = (size_t)(SEGMENTS * p->segment + 2 * p->reach + 2 * WEFT_RANK_VECTOR);
    p->bytes_stride = weft_round_up(line);
    p->out_stride = weft_round_up((size_t)columns);
    p->plane_stride = weft_round_up((size_t)(p->segment + 2 * p->reach + WEFT_RANK_VECTOR)) | 64;
    p->row_bytes = p->plane_stride * p->depth * 8;
    offset[0] = take(&at, window, sizeof *p->places);
    offset[1] = take(&at, window, WEFT_RANK_VECTOR);
    offset[2] = take(&at, line, p->depth);
    offset[3] = take(&at, p->depth, p->bytes_stride);
    offset[4] = take(&at, p->depth, p->out_stride);
    offset[5] = take(&at, (size_t)step->planes * (size_t)p->window, p->row_bytes);
    if (memory) {
        p->places = (ptrdiff_t *)(void *)(memory + offset[0]);
        p->candidates = memory + offset[1];
        p->line = memory + offset[2];
        p->bytes = (unsigned char *)memory + offset[3];
        p->out = (unsigned char *)memory + offset[4];
        p->ring = (unsigned char *)memory + offset[5];
    }
    return at;
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    struct pieces unused;
    (void)in_columns;
    return lay_out(step, columns, NULL, &unused);
}

/* Plane k of row v of the window's rows. */
static unsigned char *ring_row(const struct pieces *p, int32_t k, int64_t v) {
    return p->ring + (size_t)(k * p->window + weft_border_modulo(v, p->window)) * p->row_bytes;
}

/* The row at `in`, or border_value where that is NULL, into the line, with what lies beside the strip. */
static void fill_line(struct lane *lane, const struct step *step, const struct pieces *p, const char *in) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    int64_t left = first - p->reach, right = end + p->reach;
    float value = rank->border == WEFT_BORDER_CONSTANT ? around_value(lane, step) : 0;
    weft_rank_columns(step, 0, first, end, &in_first, &in_end);
    int64_t low = in_first > left ? in_first : left, high = in_end < right ? in_end : right;
    if (!in) {
        around_fill(step->type, p->line, right - left, value);
        return;
    }
    memcpy(p->line + (size_t)(low - left) * p->depth, in + (size_t)(low - in_first) * p->depth,
           (size_t)(high - low) * p->depth);
    for (int64_t i = 0; i < (low - left) + (right - high); i++) {
        int64_t x = i < low - left ? left + i : high + i - (low - left);
        int64_t from = weft_border_map(x, step->width, rank->border);
        char *to = p->line + (size_t)(x - left) * p->depth;
        if (from < 0)
            around_fill(step->type, to, 1, value);
        else
            memcpy(to, in + (size_t)(from - in_first) * p->depth, p->depth);
    }
}

/* Row v comes in. */
static void enter(struct lane *lane, const struct step *step, const struct pieces *p, int64_t v) {
    const struct rank *rank = step->data;
    const struct weft_kernels *kernels = lane->kernels;
    struct row in = weft_lane_fetch_border(lane, step->inputs[0], v, rank->border);
    int64_t first = weft_lane_first(lane, step), columns = weft_lane_end(lane, step) - first, in_first, in_end;
    weft_rank_columns(step, 0, first, first + columns, &in_first, &in_end);
    for (int32_t k = 0; k < step->planes; k++) {
        const unsigned char *bytes = (const unsigned char *)p->line;
        unsigned char *parts[4] = {p->bytes, p->bytes + p->bytes_stride, p->bytes + 2 * p->bytes_stride,
                                   p->bytes + 3 * p->bytes_stride};
        fill_line(lane, step, p, in.plane[0] ? around_at(lane, step->inputs[0], &in, k, in_first) : NULL);
        if (step->type != WEFT_ROW_U8) {
            kernels->rank_bytes[step->type](p->line, parts, columns + 2 * p->reach);
            bytes = p->bytes;
        }
        for (size_t i = 0; i < p->depth; i++)
            kernels->rank_slice(bytes + i * p->bytes_stride, p->segment, p->segment + 2 * p->reach,
                                ring_row(p, k, v) + i * 8 * p->plane_stride, (int64_t)p->plane_stride);
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct rank *rank = step->data;
    struct memory *memory = weft_lane_state(lane, step);
    struct pieces p;
    bool goes_on = memory->valid && memory->last == y - 1;
    int64_t radius = rank->radius, columns = weft_lane_end(lane, step) - weft_lane_first(lane, step), low, high;
    lay_out(step, step->max_columns, (char *)memory, &p);
    weft_rank_rows(step, 0, y, &low, &high);
    for (int64_t v = low; v <= high && !goes_on; v++) /* from top to bottom, though the loop below goes in another order */
        weft_lane_fetch(lane, step->inputs[0], v);
    for (int64_t v = goes_on ? y + radius : y - radius; v <= y + radius; v++)
        enter(lane, step, &p, v);
    memory->valid = true;
    memory->last = y;
    for (int64_t i = 0; i < p.window; i++) /* the rows in any order */
        for (int64_t j = 0; j < p.window; j++)
            p.places[i * p.window + j] = (ptrdiff_t)((size_t)i * p.row_bytes) + j;
    for (int32_t k = 0; k < step->planes; k++) {
        struct weft_rank_bits bits = {.planes = ring_row(&p, k, 0),
                                      .places = p.places,
                                      .candidates = p.candidates,
                                      .stride = (int64_t)p.plane_stride,
                                      .segment = p.segment,
                                      .count = columns,
                                      .window = (int32_t)(p.window * p.window),
                                      .depth = (int32_t)p.depth};
        for (size_t i = 0; i < p.depth; i++)
            bits.out[i] = step->type == WEFT_ROW_U8 ? out->plane[k] : p.out + i * p.out_stride;
        lane->kernels->rank_select(&bits);
        if (step->type != WEFT_ROW_U8)
            lane->kernels->rank_values[step->type]((const unsigned char *const *)bits.out, out->plane[k], columns);
    }
}

const struct step_kind weft_rank_bits = {
    .name = "rank", .rows = weft_rank_rows, .columns = weft_rank_columns, .state_size = state_size, .run = run};
