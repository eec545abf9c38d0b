/* SPDX-License-Identifier: MIT
 * Resampling along y with many rows per output, that is shrinking: each input row is fetched once, in order, and added
 * to the few outputs that it reaches. So the input's ring stays one row, and the sums of the outputs in flight are all
 * the memory that it takes.
 *
 * With mirrored borders outputs are not in order at the edges: one that reads above the image may need a lower row than its
 * successors. So an output is finished when all its rows and those of the outputs before it have been added, and as many sums are
 * kept as that needs. */
#include <string.h>
#include "backend/cpu/steps/resample/resample_y.h"
#include "base/memory.h"
#include "base/status.h"

#define FEWEST_TAPS 16 /* below, a ring of rows is small and cheaper to add up */
#define MOST_SLOTS 64
#define PRECISE_TAPS 128 /* from so many taps on, sums in single precision are sums of partial sums, each of so many rows: */
#define PRECISE_ROWS 64

/* ---- at planning */

/* The longest list of rows, and first and last of the fold. */
static int32_t find_order(const struct resample_table *table, struct resample_fold *fold) {
    int64_t outputs = table->outputs, last = INT64_MIN, first = INT64_MAX;
    int32_t most = 0;
    for (int64_t y = 0; y < outputs; y++) {
        int32_t count = table->count[y];
        if (count > 0 && table->first[y] + count - 1 > last)
            last = table->first[y] + count - 1;
        fold->last[y] = last;
        most = count > most ? count : most;
    }
    for (int64_t y = outputs - 1; y >= 0; y--) {
        if (table->count[y] > 0 && table->first[y] < first)
            first = table->first[y];
        fold->first[y] = first;
        if (first != INT64_MAX && fold->last[y] < first) /* outputs that need no row are given one */
            fold->last[y] = first;
    }
    return most;
}

/* How many outputs are in flight at most. */
static int64_t count_slots(const struct resample_table *table, const struct resample_fold *fold) {
    int64_t slots = 1, end = 0;
    for (int64_t y = 0; y < table->outputs; y++) {
        while (end < table->outputs && fold->first[end] <= fold->last[y])
            end++;
        slots = end - y > slots ? end - y : slots;
    }
    return slots;
}

/* Turns the lists of rows per output into lists of outputs per row. */
static bool turn_lists(const struct resample_table *table, struct resample_fold *fold, size_t rows) {
    size_t entries = 0;
    fold->start = weft_allocate(rows + 2, sizeof *fold->start);
    if (!fold->start)
        return false;
    /* Counts at first, of row r at r + 1; then where the next entry of row r goes, at r. */
    size_t *next = fold->start + 1;
    for (int64_t y = 0; y < table->outputs; y++)
        for (int32_t k = 0; k < table->count[y]; k++, entries++)
            next[table->first[y] + k - fold->low + 1]++;
    for (size_t r = 1; r <= rows; r++)
        next[r] += next[r - 1];
    fold->reach = weft_allocate(entries, sizeof *fold->reach);
    fold->weight = weft_allocate(entries, sizeof *fold->weight);
    if (!fold->reach || !fold->weight)
        return false;
    for (int64_t y = 0; y < table->outputs; y++)
        for (int32_t k = 0; k < table->count[y]; k++) {
            size_t at = next[table->first[y] + k - fold->low]++;
            fold->reach[at] = (int32_t)y;
            fold->weight[at] = table->weight[(size_t)y * table->stride + (size_t)k];
        }
    return true;
}

weft_status weft_resample_fold(struct resample_y *data, weft_error *error) {
    const struct resample_table *table = &data->table;
    struct resample_fold *fold = &data->fold;
    size_t outputs = (size_t)table->outputs;
    if (table->taps <= FEWEST_TAPS)
        return WEFT_OK;
    fold->first = weft_allocate(outputs, sizeof *fold->first);
    fold->last = weft_allocate(outputs, sizeof *fold->last);
    if (!fold->first || !fold->last)
        return weft_fail_memory(error, outputs * sizeof *fold->first, "the order of rows");
    int32_t most = find_order(table, fold);
    int64_t slots = count_slots(table, fold), low = fold->first[0], high = fold->last[table->outputs - 1];
    if (most <= FEWEST_TAPS || slots > MOST_SLOTS || slots > most ||
        high - low > 4 * (table->inputs + table->outputs)) {
        weft_resample_unfold(data);
        return WEFT_OK;
    }
    for (int64_t y = table->outputs - 1; fold->first[y] == INT64_MAX; y--)
        fold->first[y] = fold->last[y];
    fold->low = low;
    fold->precise = most > PRECISE_TAPS;
    if (!turn_lists(table, fold, (size_t)(high - low + 1)))
        return weft_fail_memory(error, outputs * (size_t)most * (sizeof *fold->reach + sizeof *fold->weight),
                                "the weights of rows");
    fold->slots = (int32_t)slots;
    return WEFT_OK;
}

void weft_resample_unfold(struct resample_y *data) {
    struct resample_fold *fold = &data->fold;
    weft_free(fold->first);
    weft_free(fold->last);
    weft_free(fold->start);
    weft_free(fold->reach);
    weft_free(fold->weight);
    *fold = (struct resample_fold){0};
}

void weft_resample_fold_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct resample_y *data = step->data;
    (void)i;
    *first = data->fold.first[y], *last = data->fold.last[y];
}

/* ---- at run time. The state: where it stands, the row outside, and per plane and slot the sum, and when precise the
 * sum of the latest rows. */

struct progress {
    bool begun;
    int64_t next_y, next_row;
};

/* All that the functions below need to know. */
struct folding {
    struct lane *lane;
    const struct step *step;
    const struct resample_y *data;
    struct resample_outside *outside;
    float *sums;
    size_t stride; /* of a sum, in floats */
    int64_t first; /* column */
    int columns;
};

static size_t sum_size(int64_t columns) { return weft_round_up((size_t)columns * sizeof(float)); }

size_t weft_resample_fold_state(const struct step *step, int64_t columns, int64_t in_columns) {
    const struct resample_fold *fold = &((const struct resample_y *)step->data)->fold;
    (void)in_columns;
    return weft_round_up(sizeof(struct progress)) + weft_resample_outside_size(step, columns) +
           (size_t)step->planes * (size_t)fold->slots * (fold->precise ? 2 : 1) * sum_size(columns);
}

static float *sum_of(const struct folding *f, int32_t plane, int64_t y, bool latest) {
    const struct resample_fold *fold = &f->data->fold;
    size_t slot = (size_t)plane * (size_t)fold->slots + (size_t)(y % fold->slots);
    return f->sums + (fold->precise ? 2 * slot + latest : slot) * f->stride;
}

/* Output y comes into flight. */
static void begin_output(const struct folding *f, int64_t y) {
    const struct resample_table *table = &f->data->table;
    if (y >= table->outputs)
        return;
    float weight = table->constant ? table->weight[(size_t)y * table->stride + (size_t)table->count[y]] : 0;
    for (int32_t k = 0; k < f->step->planes; k++) {
        float *sum = sum_of(f, k, y, false);
        memset(sum, 0, (f->data->fold.precise ? 2 : 1) * f->stride * sizeof *sum);
        if (weight != 0)
            f->lane->kernels->spread_row(weft_resample_outside(f->lane, f->step, f->outside), &weight, &sum, 1,
                                         f->columns);
    }
}

/* Adds row r to the outputs from y on that it reaches. */
static void add_row(const struct folding *f, int64_t y, int64_t r) {
    const struct resample_fold *fold = &f->data->fold;
    size_t begin = fold->start[r - fold->low], end = fold->start[r - fold->low + 1];
    int32_t input = f->step->inputs[0];
    float *sums[MOST_SLOTS];
    while (begin < end && fold->reach[begin] < y)
        begin++;
    if (begin == end)
        return;
    struct row row = weft_lane_fetch(f->lane, input, r);
    for (int32_t k = 0; k < f->step->planes; k++) {
        for (size_t i = begin; i < end; i++)
            sums[i - begin] = sum_of(f, k, fold->reach[i], true);
        f->lane->kernels->spread_row(weft_row_at(f->lane, input, &row, k, f->first), fold->weight + begin, sums,
                                     (int)(end - begin), f->columns);
    }
}

/* The sums of the latest rows go to the sums of all, for outputs y and after. */
static void carry(const struct folding *f, int64_t y) {
    for (int64_t i = y; i < y + f->data->fold.slots && i < f->step->height; i++)
        for (int32_t k = 0; k < f->step->planes; k++) {
            float *sum = sum_of(f, k, i, false), *latest = sum_of(f, k, i, true);
            f->lane->kernels->spread_row(latest, &(float){1}, &sum, 1, f->columns);
            memset(latest, 0, f->stride * sizeof *latest);
        }
}

void weft_resample_fold_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct resample_y *data = step->data;
    const struct resample_fold *fold = &data->fold;
    unsigned char *state = weft_lane_state(lane, step), *after = state + weft_round_up(sizeof(struct progress));
    struct progress *progress = (struct progress *)(void *)state;
    size_t outside_size = weft_resample_outside_size(step, step->max_columns);
    struct folding f = {.lane = lane,
                        .step = step,
                        .data = data,
                        .outside = (struct resample_outside *)(void *)after,
                        .sums = (float *)(void *)(after + outside_size),
                        .stride = sum_size(step->max_columns) / sizeof(float),
                        .first = weft_lane_first(lane, step)};
    f.columns = (int)(weft_lane_end(lane, step) - f.first);
    if (!progress->begun || progress->next_y != y) {
        *progress = (struct progress){.begun = true, .next_row = fold->first[y]};
        for (int64_t i = y; i < y + fold->slots; i++)
            begin_output(&f, i);
    }
    if (progress->next_row < fold->first[y])
        progress->next_row = fold->first[y];
    for (int64_t r = progress->next_row; r <= fold->last[y]; r++) {
        add_row(&f, y, r);
        if (fold->precise && r % PRECISE_ROWS == 0)
            carry(&f, y);
    }
    for (int32_t k = 0; k < step->planes; k++) {
        float *sum = sum_of(&f, k, y, false);
        if (fold->precise)
            lane->kernels->spread_row(sum_of(&f, k, y, true), &(float){1}, &sum, 1, f.columns);
        memcpy(out->plane[k], sum, (size_t)f.columns * sizeof(float));
    }
    begin_output(&f, y + fold->slots);
    progress->next_row = fold->last[y] + 1;
    progress->next_y = y + 1;
}
