/* SPDX-License-Identifier: MIT
 * Medians of 8-bit rows: the state holds the histograms of the columns, and each output row slides them down by a row.
 * Beside the columns of the input there is one that stands for those outside the image. */
#include <string.h>
#include "backend/cpu/steps/rank/rank.h"

/* Radius from which on counts of a column, or of a window, need more bits. */
#define WIDE_RADIUS 128

struct memory {
    bool valid;
    int64_t last; /* the row that was made last */
};

struct pieces {
    int32_t *map, *inside;
    uint8_t *outside;    /* a row of border_value */
    char *coarse, *fine; /* of plane k at + k * coarse_bytes, fine_bytes */
    size_t coarse_bytes, fine_bytes, count_size;
    int64_t columns;
};

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at = around_sum(begin, count, size);
    *at = *at < SIZE_MAX - 64 ? weft_round_up(*at) : SIZE_MAX;
    return begin;
}

static size_t lay_out(const struct step *step, int64_t columns, char *memory, struct pieces *p) {
    const struct rank *rank = step->data;
    size_t at = weft_round_up(sizeof(struct memory)), offset[5], planes = (size_t)step->planes;
    p->count_size = rank->radius < WIDE_RADIUS ? sizeof(uint8_t) : sizeof(uint16_t);
    p->columns = around_columns(step, columns, rank->radius, rank->border) + 1;
    p->coarse_bytes = weft_round_up((size_t)p->columns * 16 * p->count_size);
    p->fine_bytes = weft_round_up((size_t)p->columns * 256 * p->count_size);
    offset[0] = take(&at, (size_t)(columns + 2 * rank->radius), sizeof *p->map);
    offset[1] = take(&at, rank->border == WEFT_BORDER_SHRINK ? (size_t)columns : 0, sizeof *p->inside);
    offset[2] = take(&at, (size_t)p->columns, sizeof *p->outside);
    offset[3] = take(&at, planes, p->coarse_bytes);
    offset[4] = take(&at, planes, p->fine_bytes);
    if (memory) {
        p->map = (int32_t *)(void *)(memory + offset[0]);
        p->inside = (int32_t *)(void *)(memory + offset[1]);
        p->outside = (uint8_t *)(memory + offset[2]);
        p->coarse = memory + offset[3];
        p->fine = memory + offset[4];
    }
    return at;
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    struct pieces unused;
    (void)in_columns;
    return lay_out(step, columns, NULL, &unused);
}

/* And the row that goes out. */
static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    int64_t unused;
    weft_rank_rows(step, i, y, first, last);
    if (y > 0)
        weft_rank_rows(step, i, y - 1, first, &unused);
}

static void begin_tile(struct lane *lane, const struct step *step, struct pieces *p, int64_t in_first,
                       int64_t in_count) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), radius = rank->radius;
    for (int64_t x = first - radius; x < end + radius; x++) {
        int64_t from = weft_border_map(x, step->width, rank->border);
        p->map[x - first + radius] = (int32_t)(from < 0 ? in_count : from - in_first);
    }
    for (int64_t x = first; x < end && rank->border == WEFT_BORDER_SHRINK; x++) {
        int64_t low = x - radius > 0 ? x - radius : 0,
                high = x + radius < step->width - 1 ? x + radius : step->width - 1;
        p->inside[x - first] = (int32_t)(high - low + 1);
    }
    around_fill(WEFT_ROW_U8, p->outside, p->columns, around_value(lane, step));
}

static struct weft_rank_histograms histograms(const struct pieces *p, int32_t k, int64_t columns) {
    return (struct weft_rank_histograms){.coarse = p->coarse + (size_t)k * p->coarse_bytes,
                                         .fine = p->fine + (size_t)k * p->fine_bytes,
                                         .columns = p->columns,
                                         .rows = columns};
}

/* Starts over with no rows but, in the column outside, a window's height of border_value. */
static void clear(struct lane *lane, const struct step *step, const struct pieces *p, int64_t in_count) {
    const struct rank *rank = step->data;
    bool wide = p->count_size > 1;
    memset(p->coarse, 0, (size_t)step->planes * p->coarse_bytes);
    memset(p->fine, 0, (size_t)step->planes * p->fine_bytes);
    for (int32_t k = 0; k < step->planes && rank->border == WEFT_BORDER_CONSTANT; k++) {
        struct weft_rank_histograms h = histograms(p, k, 1);
        h.coarse = (char *)h.coarse + (size_t)in_count * 16 * p->count_size;
        h.fine = (char *)h.fine + (size_t)in_count * 16 * p->count_size;
        for (int64_t i = 0; i < 2 * rank->radius + 1; i++)
            lane->kernels->rank_slide[wide](&h, p->outside, NULL);
    }
}

static const uint8_t *plane_of(const struct lane *lane, const struct step *step, const struct pieces *p,
                               const struct row *row, int32_t k, int64_t x) {
    const struct rank *rank = step->data;
    if (row->plane[0])
        return around_at(lane, step->inputs[0], row, k, x);
    return rank->border == WEFT_BORDER_CONSTANT ? p->outside : NULL;
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct rank *rank = step->data;
    struct memory *memory = weft_lane_state(lane, step);
    struct pieces p;
    bool goes_on = memory->valid && memory->last == y - 1, wide;
    int64_t radius = rank->radius, window = 2 * radius + 1, in_first, in_end, first = weft_lane_first(lane, step);
    int64_t end = weft_lane_end(lane, step), low, high;
    lay_out(step, step->max_columns, (char *)memory, &p);
    wide = p.count_size > 1;
    weft_rank_columns(step, 0, first, end, &in_first, &in_end);
    weft_rank_rows(step, 0, y, &low, &high);
    if (!memory->valid)
        begin_tile(lane, step, &p, in_first, in_end - in_first);
    memory->valid = true;
    memory->last = y;
    if (!goes_on) {
        clear(lane, step, &p, in_end - in_first);
        for (int64_t v = low; v <= high; v++) /* from top to bottom, though rows are used in another order below */
            weft_lane_fetch(lane, step->inputs[0], v);
    }
    for (int64_t v = goes_on ? y + radius : y - radius; v <= y + radius; v++) {
        struct row none = {{NULL}}, enter = weft_lane_fetch_border(lane, step->inputs[0], v, rank->border);
        struct row leave = goes_on ? weft_lane_fetch_border(lane, step->inputs[0], v - window, rank->border) : none;
        for (int32_t k = 0; k < step->planes; k++) {
            struct weft_rank_histograms h = histograms(&p, k, in_end - in_first);
            lane->kernels->rank_slide[wide](&h, plane_of(lane, step, &p, &enter, k, in_first),
                                            goes_on ? plane_of(lane, step, &p, &leave, k, in_first) : NULL);
        }
    }
    for (int32_t k = 0; k < step->planes; k++) {
        struct weft_rank_histograms h = histograms(&p, k, in_end - in_first);
        h.map = p.map;
        h.window = window;
        h.count = end - first;
        h.inside = rank->border == WEFT_BORDER_SHRINK ? p.inside : NULL;
        h.height = rank->border == WEFT_BORDER_SHRINK ? high - low + 1 : window;
        lane->kernels->rank_histogram[wide](&h, out->plane[k]);
    }
}

const struct step_kind weft_rank_histogram = {
    .name = "rank", .rows = rows, .columns = weft_rank_columns, .state_size = state_size, .run = run};
