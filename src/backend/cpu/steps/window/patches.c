/* SPDX-License-Identifier: MIT
 * Means weighted by patches (kernels/cpu/window/patches.c). Several rows are made at a time, as a block, since most of the work for
 * a weight is shared with the pixels above and below. A block is kept until all of its rows have been asked for. */
#include <string.h>
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/steps/lower.h"
#include "base/status.h"
#include "filter/help/patches.h"

#define ROWS_MORE 16 /* a block's rows below the band, which later steps look at */

struct patches {
    int32_t patch, search, colors; /* planes that are averaged; one more is alpha */
    weft_border border;
};

/* Rows first .. end - 1 of the result. They follow this struct in memory, plane after plane, WEFT_PATCH_ROWS of each. */
struct block {
    int64_t first, end;
};

static int64_t around(const struct patches *w) { return (int64_t)w->patch + w->search; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct patches *w = step->data;
    int64_t unused;
    (void)i;
    weft_rows_around(y, around(w), step->height, w->border, first, &unused);
    weft_rows_around(smaller(y + WEFT_PATCH_ROWS, step->height) - 1, around(w), step->height, w->border, &unused, last);
}

/* The rows that have been read when row y is there, whichever block it belongs to. */
static void rows_now(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct patches *w = step->data;
    (void)i;
    weft_rows_around(y, around(w), step->height, w->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct patches *w = step->data;
    (void)i;
    weft_columns_around(x0, x1, around(w), step->width, w->border, first, end);
}

/* Floats of a plane: of the rows that are kept, of the image under a piece with the pixels around it, and of the sums of a
 * piece. */
static size_t kept_floats(int64_t columns_) { return (size_t)WEFT_PATCH_ROWS * (size_t)columns_; }
static int64_t stride_of(const struct patches *w) { return WEFT_PATCH_COLUMNS + 2 * around(w); }
static size_t image_floats(const struct patches *w) { return (size_t)(WEFT_PATCH_ROWS + 2 * around(w)) * (size_t)stride_of(w); }
#define SUMS ((size_t)WEFT_PATCH_ROWS * WEFT_PATCH_COLUMNS)

static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct patches *w = step->data;
    size_t floats = (size_t)step->planes * kept_floats(columns_) + (size_t)w->colors * image_floats(w) +
                    (size_t)(w->colors + 1) * SUMS + (size_t)weft_patch_room(w->patch, w->search);
    (void)in_columns;
    return weft_round_up(sizeof(struct block)) + floats * sizeof(float);
}

static void begin(struct lane *lane, const struct step *step) {
    *(struct block *)weft_lane_state(lane, step) = (struct block){0, 0};
}

/* Row y of the image from column x on, or the border's value. */
static void copy_row(struct lane *lane, const struct step *step, int64_t y, int64_t x, int64_t count, float *const *to) {
    const struct patches *w = step->data;
    struct row row = weft_lane_fetch_border(lane, step->inputs[0], y, w->border);
    float value = weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, weft_lane_block(lane, step));
    for (int32_t k = 0; k < w->colors; k++)
        if (row.plane[0])
            memcpy(to[k], weft_row_at(lane, step->inputs[0], &row, k, x), (size_t)count * sizeof(float));
        else
            for (int64_t i = 0; i < count; i++)
                to[k][i] = value;
}

/* Columns x .. x + piece->width of the block. False where the run is cancelled. */
static bool weigh_piece(struct lane *lane, const struct step *step, const struct block *block, int64_t x,
                        struct weft_patch_piece *piece, float *const *image) {
    const struct patches *w = step->data;
    int64_t far = around(w), pixels = (int64_t)piece->width * piece->height;
    for (int64_t y = 0; y < piece->height + 2 * far; y++) {
        float *to[3];
        for (int32_t k = 0; k < w->colors; k++)
            to[k] = image[k] + y * piece->stride;
        copy_row(lane, step, block->first - far + y, x - far, piece->width + 2 * far, to);
    }
    for (int64_t y = 0; y < piece->height; y++) { /* a pixel has weight 1 for itself */
        int64_t at = y * WEFT_PATCH_COLUMNS;
        for (int64_t i = 0; i < piece->width; i++)
            piece->weights[at + i] = 1;
        for (int32_t k = 0; k < w->colors; k++)
            memcpy(piece->sums[k] + at, piece->image[k] + y * piece->stride, (size_t)piece->width * sizeof(float));
    }
    for (int dy = 0; dy <= w->search; dy++)
        for (int dx = dy > 0 ? -w->search : 1; dx <= w->search; dx++) {
            if (weft_lane_stops(lane, pixels))
                return false;
            lane->kernels->weigh_patches(piece, dx, dy);
        }
    return true;
}

/* The rows from `first` on, as many as the band still has; where rows are asked for upwards, as by a flip, that one alone. */
static void make_block(struct lane *lane, const struct step *step, int64_t first, struct block *block) {
    const bool upwards = first < block->first;
    const struct patches *w = step->data;
    const struct weft_patches *p = weft_lane_block(lane, step);
    const struct cpu_run *run = lane->run;
    int64_t left = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - left, far = around(w);
    int64_t band = lane->tile / lane->stage->strips, part = run->from + (run->to - run->from) * (band + 1) / run->bands;
    int64_t band_end = weft_part_edge(step->height, part, lane->stage->height);
    float *kept = (float *)(void *)((unsigned char *)block + weft_round_up(sizeof *block)), *image[3] = {0};
    float *next = kept + (size_t)step->planes * kept_floats(step->max_columns);
    double squares = (double)w->colors * (2 * w->patch + 1) * (2 * w->patch + 1), h = (double)p->h;
    struct weft_patch_piece piece = {.stride = stride_of(w), .planes = w->colors, .patch = w->patch, .search = w->search};
    *block = (struct block){first, smaller(first < band_end ? band_end : first + ROWS_MORE, first + WEFT_PATCH_ROWS)};
    block->end = upwards ? first + 1 : smaller(block->end, step->height);
    piece.height = (int32_t)(block->end - first);
    piece.excess = (float)(2 * (double)p->sigma * (double)p->sigma * squares);
    piece.scale = (float)(1 / (squares * h * h));
    piece.cutoff = p->cutoff;
    for (int32_t k = 0; k < w->colors; k++, next += image_floats(w)) {
        image[k] = next;
        piece.image[k] = next + far * piece.stride + far;
    }
    piece.weights = next;
    for (int32_t k = 0; k < w->colors; k++)
        piece.sums[k] = next += SUMS;
    piece.room = next + SUMS;
    for (int64_t x = 0; x < count; x += piece.width) {
        piece.width = (int32_t)smaller(count - x, WEFT_PATCH_COLUMNS);
        if (!weigh_piece(lane, step, block, left + x, &piece, image))
            return;
        for (int32_t k = 0; k < w->colors; k++)
            for (int64_t y = 0; y < piece.height; y++) {
                float *to = kept + (size_t)k * kept_floats(step->max_columns) + y * step->max_columns + x;
                const float *sums = piece.sums[k] + y * WEFT_PATCH_COLUMNS, *weights = piece.weights + y * WEFT_PATCH_COLUMNS;
                for (int32_t i = 0; i < piece.width; i++)
                    to[i] = sums[i] / weights[i];
            }
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct patches *w = step->data;
    struct block *block = weft_lane_state(lane, step);
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    const float *kept = (const float *)(const void *)((unsigned char *)block + weft_round_up(sizeof *block));
    if (y < block->first || y >= block->end)
        make_block(lane, step, y, block);
    for (int32_t k = 0; k < w->colors; k++)
        memcpy(out->plane[k], kept + (size_t)k * kept_floats(step->max_columns) + (y - block->first) * step->max_columns,
               (size_t)count * sizeof(float));
    if (step->planes > w->colors) {
        struct row row = weft_lane_fetch(lane, step->inputs[0], y);
        memcpy(out->plane[w->colors], weft_row_at(lane, step->inputs[0], &row, w->colors, first), (size_t)count * sizeof(float));
    }
}
static const struct step_kind patches = {.name = "patches",
                                         .rows = rows,
                                         .rows_now = rows_now,
                                         .columns = columns,
                                         .state_size = state_size,
                                         .begin = begin,
                                         .run = run};

weft_status weft_lower_patches(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result, weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    const struct weft_patches *p = n->block;
    struct patches *w = weft_allocate(1, sizeof *w);
    int32_t input = inputs[0];
    if (!w)
        return weft_fail_memory(error, sizeof *w, "patches");
    *w = (struct patches){.patch = p->patch,
                          .search = p->search,
                          .colors = info->format.channels < 3 ? 1 : 3,
                          .border = weft_filter_border(n->filter, n->block)};
    weft_status status = weft_stage_pad(b, &input, around(w), w->border, node, error);
    if (status != WEFT_OK) {
        weft_free(w);
        return status;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &patches,
                                         .inputs = {input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = w,
                                         .work = (2 * (int64_t)p->search + 1) * (2 * (int64_t)p->search + 1),
                                         .type = WEFT_ROW_F32,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height},
                          result, error);
}
