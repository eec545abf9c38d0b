/* SPDX-License-Identifier: MIT
 * Medians of any rows and radius: when the first row of a band of blocks is asked for, all rows of it are made, and
 * kept in the state. Bands begin at multiples of their height in the image. */
#include <string.h>
#include "backend/cpu/steps/rank/rank.h"

struct memory {
    bool valid;
    int64_t first, last; /* rows of the band that are there */
};

/* The pieces of a lane's memory. */
struct pieces {
    struct row *fetched; /* rows of the region */
    const void **rows;   /* the same, of one plane */
    int32_t *map;
    char *outside; /* one element */
    char *scratch;
    char *results; /* of plane k, row j of the band: at (k * block_height + j) * stride */
    size_t stride;
};

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at = around_sum(begin, count, size);
    *at = *at < SIZE_MAX - 64 ? weft_round_up(*at) : SIZE_MAX;
    return begin;
}

static size_t lay_out(const struct step *step, int64_t columns, char *memory, struct pieces *p) {
    const struct rank *rank = step->data;
    size_t at = weft_round_up(sizeof(struct memory)), offset[6];
    size_t region = (size_t)(rank->block_height + 2 * rank->radius);
    int64_t width = rank->block_width < columns ? rank->block_width : columns;
    p->stride = weft_round_up((size_t)columns * weft_row_type_size(step->type));
    offset[0] = take(&at, region, sizeof *p->fetched);
    offset[1] = take(&at, region, sizeof *p->rows);
    offset[2] = take(&at, (size_t)(width + 2 * rank->radius), sizeof *p->map);
    offset[3] = take(&at, 1, sizeof(float));
    offset[4] = take(&at, 1, weft_rank_block_bytes(weft_rank_block_size(rank->radius, width, rank->block_height)));
    offset[5] = take(&at, (size_t)step->planes * (size_t)rank->block_height, p->stride);
    if (memory) {
        p->fetched = (struct row *)(void *)(memory + offset[0]);
        p->rows = (const void **)(void *)(memory + offset[1]);
        p->map = (int32_t *)(void *)(memory + offset[2]);
        p->outside = memory + offset[3];
        p->scratch = memory + offset[4];
        p->results = memory + offset[5];
    }
    return at;
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    struct pieces unused;
    (void)in_columns;
    return lay_out(step, columns, NULL, &unused);
}

/* The last row of the band that row y is in. */
static int64_t band_end(const struct step *step, int64_t y) {
    const struct rank *rank = step->data;
    int64_t end = (y / rank->block_height + 1) * rank->block_height;
    return (end < step->height ? end : step->height) - 1;
}

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct rank *rank = step->data;
    int64_t unused;
    weft_rank_rows(step, i, y / rank->block_height * rank->block_height, first, &unused);
    weft_rank_rows(step, i, band_end(step, y), &unused, last);
}

/* Makes rows y .. last of the band. */
static void make(struct lane *lane, const struct step *step, const struct pieces *p, int64_t y, int64_t last) {
    const struct rank *rank = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end, low, high, unused;
    int64_t radius = rank->radius, count = last - y + 1 + 2 * radius;
    size_t size = weft_row_type_size(step->type);
    weft_rank_columns(step, 0, first, end, &in_first, &in_end);
    weft_rank_rows(step, 0, y, &low, &unused);
    weft_rank_rows(step, 0, last, &unused, &high);
    for (int64_t v = low; v <= high; v++) /* from top to bottom, though rows are used in another order below */
        weft_lane_fetch(lane, step->inputs[0], v);
    for (int64_t i = 0; i < count; i++)
        p->fetched[i] = weft_lane_fetch_border(lane, step->inputs[0], y - radius + i, rank->border);
    around_fill(step->type, p->outside, 1, around_value(lane, step));
    for (int64_t x = first; x < end; x += rank->block_width) {
        struct weft_rank_block block = {.radius = radius,
                                        .width = end - x < rank->block_width ? end - x : rank->block_width,
                                        .height = last - y + 1,
                                        .rows = p->rows,
                                        .map = p->map,
                                        .outside = rank->border == WEFT_BORDER_SHRINK ? NULL : p->outside,
                                        .memory = p->scratch,
                                        .out_stride = p->stride};
        for (int64_t i = 0; i < block.width + 2 * radius; i++) {
            int64_t from = weft_border_map(x - radius + i, step->width, rank->border);
            p->map[i] = (int32_t)(from < 0 ? -1 : from - in_first);
        }
        for (int32_t k = 0; k < step->planes; k++) {
            for (int64_t i = 0; i < count; i++)
                p->rows[i] =
                    p->fetched[i].plane[0] ? around_at(lane, step->inputs[0], &p->fetched[i], k, in_first) : NULL;
            block.out = p->results + (size_t)k * (size_t)rank->block_height * p->stride + (size_t)(x - first) * size;
            lane->kernels->rank_block[step->type](&block);
        }
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct rank *rank = step->data;
    struct memory *memory = weft_lane_state(lane, step);
    struct pieces p = {0};
    size_t bytes = (size_t)(weft_lane_end(lane, step) - weft_lane_first(lane, step)) * weft_row_type_size(step->type);
    lay_out(step, step->max_columns, (char *)memory, &p);
    if (!memory->valid || y < memory->first || y > memory->last) {
        memory->valid = true;
        memory->first = y;
        memory->last = band_end(step, y);
        make(lane, step, &p, y, memory->last);
    }
    for (int32_t k = 0; k < step->planes; k++)
        memcpy(out->plane[k], p.results + (size_t)(k * rank->block_height + y - memory->first) * p.stride, bytes);
}

bool weft_rank_block_choose(struct rank *rank) {
    int64_t window = 2 * rank->radius + 1, side = 32;
    while (side < window && side < 256)
        side *= 2;
    rank->block_width = rank->block_height = side;
    return window + side < 65536;
}

const struct step_kind weft_rank_block = {
    .name = "rank", .rows = rows, .columns = weft_rank_columns, .state_size = state_size, .run = run};
