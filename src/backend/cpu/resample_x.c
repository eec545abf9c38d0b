/* SPDX-License-Identifier: MIT
 * Resampling along x. Outputs whose taps all lie inside the image go through one of the forms below, the few others one
 * by one. The form is chosen by the table of the axis:
 *
 *   phases  weights come again every `period` outputs, `advance` pixels further (ratios of small numbers): the row is
 *           taken apart into every advance-th pixel, so that each phase is a plain sum of shifted rows
 *   grow    they come again one pixel further and the period is long: blocks of outputs have the same inputs
 *   dot     many taps: each output is a vector product by itself
 *   gather  anything else: a few taps at places read from a list */
#include <math.h>
#include <string.h>
#include "backend/cpu/resample.h"
#include "base/memory.h"
#include "base/status.h"

enum form { FORM_GATHER, FORM_DOT, FORM_PHASES, FORM_GROW };

#define LONGEST_PERIOD 1024
#define MOST_PHASES 64    /* of period and advance, for the form of that name */
#define SHORTEST_PHASE 24 /* outputs of a phase that are worth the way there */
#define MOST_APART 16     /* pixels taken apart that an output is worth */
#define GROW_PERIOD 16    /* from which on that form is better */
#define DOT_TAPS 6
#define SAME_WEIGHT 1.5e-7f /* closer weights are one, rounded differently */

struct resample_x {
    struct resample_table table;
    float *scale;   /* of the border value, per row; NULL for 1 */
    int32_t *place; /* table.first of the outputs from table.low to table.high, after them */
    enum form form;
    int64_t low, high; /* outputs that the form is for: part of table.low .. table.high */
    int32_t period, advance;
    float *weight; /* gather, grow: the weights of each tap side by side, `stride` apart */
    size_t stride;
};

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct resample_x *data = step->data;
    (void)i;
    weft_resample_hull(&data->table, x0, x1, first, end);
    if (*first < 0 || *end > data->table.inputs) /* wraps around */
        *first = 0, *end = data->table.inputs;
}

/* ---- at run time */

/* What run knows of the row that it is at. */
struct place {
    const struct lane *lane;
    const struct resample_x *data;
    const float *in; /* column `first` of a plane */
    float *out;      /* output x0 */
    int64_t first, x0;
    float outside;
    unsigned char *state;
    int64_t columns, in_columns; /* that the state has room for */
};

static const float *weights_of(const struct resample_x *data, int64_t x) {
    return data->table.weight + (size_t)x * data->table.stride;
}

/* Outputs x .. x1 with the border among their taps. */
static void at_border(const struct place *at, int64_t x, int64_t x1) {
    const struct resample_table *table = &at->data->table;
    for (; x < x1; x++) {
        const float *weight = weights_of(at->data, x);
        float sum = table->constant ? weight[table->count[x]] * at->outside : 0;
        /* In pieces, between the places where a table that wraps begins again. */
        for (int32_t k = 0, n; k < table->count[x]; k += n) {
            int64_t from = weft_border_modulo(table->first[x] + k, table->inputs);
            float part;
            n = table->count[x] - k;
            n = n < table->inputs - from ? n : (int32_t)(table->inputs - from);
            at->lane->kernels->resample_dot(at->in + (from - at->first), &(int32_t){0}, 0, weight + k, 0, 1, 0, n,
                                            &part, 1);
            sum += part;
        }
        at->out[x - at->x0] = sum;
    }
}

/* Outputs x .. x1 inside, each with the weights of its phase; period 0: with its own. */
static void by_products(const struct place *at, int64_t x, int64_t x1, int32_t period) {
    const struct resample_x *data = at->data;
    const struct resample_table *table = &data->table;
    int64_t from = period > 0 ? data->low : x;
    int32_t phase = period > 0 ? (int32_t)((x - from) % period) : 0;
    if (x < x1)
        at->lane->kernels->resample_dot(at->in, data->place + (x - table->low), (int32_t)at->first,
                                        weights_of(data, from), table->stride, period > 0 ? period : INT32_MAX, phase,
                                        table->taps, at->out + (x - at->x0), (int)(x1 - x));
}

static void by_gathering(const struct place *at, int64_t x, int64_t x1) {
    const struct resample_x *data = at->data;
    at->lane->kernels->resample_gather(at->in, data->place + (x - data->table.low), (int32_t)at->first,
                                       data->weight + (x - data->low), data->stride, data->table.taps,
                                       at->out + (x - at->x0), (int)(x1 - x));
}

static void by_growing(const struct place *at, int64_t x, int64_t x1) {
    const struct resample_x *data = at->data;
    at->lane->kernels->resample_grow(at->in + (data->table.first[x] - at->first), data->weight, data->stride,
                                     data->period, (int)((x - data->low) % data->period), data->table.taps,
                                     at->out + (x - at->x0), (int)(x1 - x));
}

/* Elements of one phase of a row of `columns`, in whole cache lines. */
static size_t phase_length(int64_t columns_, int32_t phases) {
    return weft_round_up(((size_t)columns_ / (size_t)phases + 1) * sizeof(float)) / sizeof(float);
}

static void by_phases(const struct place *at, int64_t x, int64_t x1) {
    const struct resample_x *data = at->data;
    const struct resample_table *table = &data->table;
    int32_t period = data->period, advance = data->advance, taps = table->taps, count = (int32_t)(x1 - x);
    int32_t phases = count < period ? count : period;
    const float **rows = (const float **)(void *)at->state;
    float *apart = (float *)(void *)(at->state + weft_round_up((size_t)taps * sizeof *rows));
    size_t in_length = phase_length(at->in_columns, advance), length = phase_length(at->columns, period);
    float *together = apart + (advance > 1 ? (size_t)advance * in_length : 0);
    const float *in = at->in + (table->first[x] - at->first);
    float *out = at->out + (x - at->x0), *planes[MOST_PHASES] = {NULL};
    const float *inputs[MOST_PHASES];
    if (advance > 1) { /* all that these outputs read, from the first one's first tap */
        for (int32_t q = 0; q < advance; q++)
            inputs[q] = planes[q] = apart + (size_t)q * in_length;
        at->lane->kernels->take_apart(in, advance, planes, (int)(table->first[x1 - 1] - table->first[x]) + taps);
    } else {
        inputs[0] = in;
    }
    for (int32_t p = 0; p < phases; p++) {
        int64_t offset = table->first[x + p] - table->first[x];
        for (int32_t k = 0; k < taps; k++)
            rows[k] = inputs[(offset + k) % advance] + (offset + k) / advance;
        planes[p] = period > 1 ? together + (size_t)p * length : out;
        at->lane->kernels->weigh_rows(rows, weights_of(data, data->low + (x - data->low + p) % period), taps, planes[p],
                                      (count - p + period - 1) / period);
    }
    if (period > 1)
        at->lane->kernels->put_together((const float *const *)planes, period, out, count);
}

static int64_t limit(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

static void run_plane(const struct place *at, int64_t x1) {
    const struct resample_x *data = at->data;
    const struct resample_table *table = &data->table;
    int64_t inside = limit(table->low, at->x0, x1), low = limit(data->low, at->x0, x1);
    int64_t high = limit(data->high, at->x0, x1), outside = limit(table->high, at->x0, x1);
    at_border(at, at->x0, inside);
    by_products(at, inside, low, 0);
    if (low < high)
        switch (data->form) {
        case FORM_GATHER:
            by_gathering(at, low, high);
            break;
        case FORM_DOT:
            by_products(at, low, high, data->period);
            break;
        case FORM_PHASES:
            by_phases(at, low, high);
            break;
        case FORM_GROW:
            by_growing(at, low, high);
            break;
        }
    by_products(at, high, outside, 0);
    at_border(at, outside, x1);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct resample_x *data = step->data;
    int32_t input = step->inputs[0];
    const struct step *before = &lane->stage->steps[input];
    struct place at = {.lane = lane,
                       .data = data,
                       .first = lane->first[input],
                       .x0 = weft_lane_first(lane, step),
                       .state = weft_lane_state(lane, step),
                       .columns = step->max_columns,
                       .in_columns = before->max_columns};
    struct row in = weft_lane_fetch(lane, input, y);
    if (data->table.constant)
        at.outside = weft_resample_border_value(lane, step) * (data->scale ? data->scale[y] : 1);
    for (int32_t k = 0; k < step->planes; k++) {
        at.in = in.plane[k], at.out = out->plane[k];
        run_plane(&at, weft_lane_end(lane, step));
    }
}

static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct resample_x *data = step->data;
    size_t floats = 0;
    if (data->form != FORM_PHASES)
        return 0;
    if (data->advance > 1)
        floats += (size_t)data->advance * phase_length(in_columns, data->advance);
    if (data->period > 1)
        floats += (size_t)data->period * phase_length(columns_, data->period);
    return weft_round_up((size_t)data->table.taps * sizeof(float *)) + floats * sizeof(float);
}

static void destroy(void *data) {
    struct resample_x *x = data;
    weft_resample_clear(&x->table);
    weft_free(x->scale);
    weft_free(x->place);
    weft_free(x->weight);
    weft_free(x);
}

static const struct step_kind kind = {
    .name = "resample x", .columns = columns, .state_size = state_size, .run = run, .destroy = destroy};

/* ---- at planning */

/* Output i repeats output i - period, `advance` pixels further. All are compared with the first period, so that small
 * differences do not add up. */
static bool repeats(const struct resample_x *data, int64_t i, int32_t period, int64_t advance) {
    const struct resample_table *table = &data->table;
    int64_t like = data->low + weft_border_modulo(i - data->low, period);
    if (table->first[i] - table->first[like] != (i - like) / period * advance)
        return false;
    const float *a = weights_of(data, i), *b = weights_of(data, like);
    for (int32_t k = 0; k < table->taps; k++)
        if (!(fabsf(a[k] - b[k]) <= SAME_WEIGHT))
            return false;
    return true;
}

/* Looks for a period among the outputs inside, without those at the edges that a filter may have made otherwise; sets
 * period 0 when there is none. */
static void find_period(struct resample_x *data) {
    const struct resample_table *table = &data->table;
    int64_t low = table->low, high = table->high;
    while (low < high && (table->first[low] == 0 || table->first[low] + table->taps == table->inputs))
        low++;
    while (low < high && (table->first[high - 1] == 0 || table->first[high - 1] + table->taps == table->inputs))
        high--;
    for (int32_t period = 1; period <= LONGEST_PERIOD && period <= (high - low) / 2; period++) {
        int64_t advance = table->first[low + period] - table->first[low], i = low + period;
        data->low = low;
        if (advance < 1 || advance > INT32_MAX)
            continue;
        while (i < high && repeats(data, i, period, advance))
            i++;
        if (i < high)
            continue;
        while (high < table->high && repeats(data, high, period, advance))
            high++;
        /* Downwards: the phases are counted from the first output, so one period is compared with the next. */
        int64_t first = low;
        while (first > table->low && repeats(data, first - 1, period, advance))
            first--;
        data->low = first, data->high = high, data->period = period, data->advance = (int32_t)advance;
        return;
    }
    data->low = table->low, data->high = table->high;
}

/* The places of a period and of its end are ascending. */
static bool ascends(const struct resample_x *data) {
    const int64_t *first = data->table.first;
    for (int64_t i = data->low; i < data->low + data->period; i++)
        if (first[i + 1] < first[i])
            return false;
    return data->period > 0;
}

static enum form choose_form(const struct resample_x *data) {
    int64_t count = data->high - data->low;
    bool ratio = ascends(data);
    if (ratio && data->period >= GROW_PERIOD && data->advance == 1)
        return FORM_GROW;
    if (ratio && data->period <= MOST_PHASES && data->advance <= MOST_PHASES &&
        data->advance <= MOST_APART * data->period && count / data->period >= SHORTEST_PHASE)
        return FORM_PHASES;
    return data->table.taps >= DOT_TAPS ? FORM_DOT : FORM_GATHER;
}

/* The weights of `count` outputs from data->low on, tap by tap. */
static bool lay_out(struct resample_x *data, int64_t count, size_t more) {
    size_t taps = (size_t)data->table.taps, all;
    data->stride = weft_round_up((size_t)count * sizeof(float)) / sizeof(float);
    if (!weft_multiply(data->stride, taps, &all) || !weft_add(all, more, &all))
        return false;
    data->weight = weft_allocate(all, sizeof *data->weight);
    for (int64_t i = 0; data->weight && i < count; i++)
        for (size_t k = 0; k < taps; k++)
            data->weight[k * data->stride + (size_t)i] = weights_of(data, data->low + i)[k];
    return data->weight != NULL;
}

/* Outputs of the same inputs make up a period: starts it where the place moves on. */
static void align_period(struct resample_x *data) {
    while (data->table.first[data->low + data->period - 1] != data->table.first[data->low])
        data->low++;
}

static bool prepare(struct resample_x *data) {
    const struct resample_table *table = &data->table;
    int64_t inside = table->high - table->low;
    data->place = weft_allocate((size_t)inside, sizeof *data->place);
    if (!data->place)
        return false;
    for (int64_t i = 0; i < inside; i++)
        data->place[i] = (int32_t)table->first[table->low + i];
    find_period(data);
    data->form = choose_form(data);
    if (data->form == FORM_GROW) {
        align_period(data);
        return lay_out(data, data->period, WEFT_GROW_BLOCK);
    }
    if (data->form == FORM_GATHER) {
        data->low = table->low, data->high = table->high;
        return lay_out(data, inside, 0);
    }
    return true;
}

weft_status weft_resample_x(struct builder *b, int32_t node, struct resample_table *x, float *scale, int32_t *input,
                            weft_error *error) {
    struct resample_x *data = weft_allocate(1, sizeof *data);
    struct step like = b->stage->steps[*input];
    if (!data) {
        weft_resample_clear(x);
        weft_free(scale);
        return weft_fail_memory(error, sizeof *data, "a resampling");
    }
    data->table = *x, data->scale = scale;
    *x = (struct resample_table){0};
    if (!prepare(data)) {
        weft_fail_memory(error, (size_t)data->table.outputs * data->table.stride * sizeof(float),
                         "the weights of a row");
        destroy(data);
        return WEFT_ERROR_MEMORY;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &kind,
                                         .inputs = {*input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = data,
                                         .type = WEFT_ROW_F32,
                                         .planes = like.planes,
                                         .width = data->table.outputs,
                                         .height = like.height,
                                         .pad_node = -1},
                          input, error);
}
