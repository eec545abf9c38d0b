/* SPDX-License-Identifier: MIT
 * Resampling along y: an output row is a weighted sum of input rows, all of them in the input's ring. Where that would be many
 * rows, resample_fold.c has another form. */
#include "backend/cpu/steps/resample/resample_y.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

void weft_resample_y_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct resample_y *data = step->data;
    (void)i;
    *first = data->table.first[y];
    *last = *first + (data->table.count[y] > 0 ? data->table.count[y] - 1 : 0);
}

const float *weft_resample_outside(struct lane *lane, const struct step *step, struct resample_outside *outside) {
    const struct resample_y *data = step->data;
    if (!outside->made) {
        int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
        float value = weft_resample_border_value(lane, step);
        for (int64_t x = 0; x < count; x++)
            outside->row[x] = data->scale ? value * data->scale[first + x] : value;
        outside->made = true;
    }
    return outside->row;
}

size_t weft_resample_outside_size(const struct step *step, int64_t columns) {
    const struct resample_y *data = step->data;
    return data->table.constant ? weft_round_up(sizeof(struct resample_outside) + (size_t)columns * sizeof(float)) : 0;
}

#define SHORT_ROW 2048 /* bytes */
#define NEW_ROWS 4     /* that an output reads and the one before did not, or fewer */

/* The state: the row outside, then the rows fetched, then a pointer per weight. */
static size_t fetched_size(const struct resample_y *data) {
    return weft_round_up((size_t)data->table.taps * sizeof(struct row));
}
static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    const struct resample_y *data = step->data;
    (void)in_columns;
    return weft_resample_outside_size(step, columns) + fetched_size(data) +
           weft_round_up(data->table.stride * sizeof(float *));
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct resample_y *data = step->data;
    const struct resample_table *table = &data->table;
    int32_t input = step->inputs[0], count = table->count[y], all = count;
    const float *weight = table->weight + (size_t)y * table->stride;
    int64_t first = weft_lane_first(lane, step);
    int columns = (int)(weft_lane_end(lane, step) - first);
    unsigned char *state = weft_lane_state(lane, step);
    struct resample_outside *outside = (struct resample_outside *)(void *)state;
    struct row *rows = (struct row *)(void *)(state + weft_resample_outside_size(step, step->max_columns));
    const float **pointers = (const float **)(void *)((unsigned char *)rows + fetched_size(data));
    for (int32_t k = 0; k < count; k++)
        rows[k] = weft_lane_fetch(lane, input, table->first[y] + k);
    /* Prefetches short rows that later outputs read: the hardware prefetcher stops at the end of a page of 4 KB. */
    const struct step *before = &lane->stage->steps[input];
    int64_t bytes = (lane->end[input] - lane->first[input]) * (int64_t)sizeof(float);
    for (int32_t k = count > NEW_ROWS ? count - NEW_ROWS : 0; before->direct && bytes <= SHORT_ROW && k < count; k++)
        weft_prefetch((uintptr_t)rows[k].plane[0] + SHORT_ROW, bytes);
    if (table->constant && weight[count] != 0)
        pointers[all++] = weft_resample_outside(lane, step, outside);
    for (int32_t p = 0; p < step->planes; p++) {
        for (int32_t k = 0; k < count; k++)
            pointers[k] = weft_row_at(lane, input, &rows[k], p, first);
        if (all > 0)
            lane->kernels->weigh_rows(pointers, weight, all, out->plane[p], columns);
        else
            memset(out->plane[p], 0, (size_t)columns * sizeof(float));
    }
}

static void destroy(void *data) {
    struct resample_y *y = data;
    weft_resample_clear(&y->table);
    weft_resample_unfold(y);
    weft_free(y->scale);
    weft_free(y);
}

static const struct step_kind direct = {
    .name = "resample y", .rows = weft_resample_y_rows, .state_size = state_size, .run = run, .destroy = destroy};
static const struct step_kind folding = {.name = "resample y",
                                         .rows = weft_resample_fold_rows,
                                         .folds = true,
                                         .state_size = weft_resample_fold_state,
                                         .run = weft_resample_fold_run,
                                         .destroy = destroy};

weft_status weft_resample_y(struct builder *b, int32_t node, struct resample_table *y, float *scale, int32_t *input,
                            weft_error *error) {
    struct resample_y *data = weft_allocate(1, sizeof *data);
    struct step like = b->stage->steps[*input];
    weft_status status;
    if (!data) {
        weft_resample_clear(y);
        weft_free(scale);
        return weft_fail_memory(error, sizeof *data, "a resampling");
    }
    data->table = *y, data->scale = scale;
    *y = (struct resample_table){0};
    status = weft_resample_fold(data, error);
    if (status != WEFT_OK) {
        destroy(data);
        return status;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = data->fold.slots > 0 ? &folding : &direct,
                                         .inputs = {*input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = data,
                                         .type = WEFT_ROW_F32,
                                         .planes = like.planes,
                                         .width = like.width,
                                         .height = data->table.outputs,
                                         .pad_node = -1},
                          input, error);
}
