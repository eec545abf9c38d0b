/* SPDX-License-Identifier: MIT
 * Resampling along x, in the forms of resample_x.h. */
#include "backend/cpu/steps/resample/resample_x.h"
#include "base/memory.h"
#include "base/status.h"

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct resample_x *data = step->data;
    (void)i;
    weft_resample_hull(&data->table, x0, x1, first, end);
    if (*first < 0 || *end > data->table.inputs) /* wraps around */
        *first = 0, *end = data->table.inputs;
}

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

/* Outputs x .. x1 with the border among their taps. */
static void at_border(const struct place *at, int64_t x, int64_t x1) {
    const struct resample_table *table = &at->data->table;
    for (; x < x1; x++) {
        const float *weight = weft_resample_weights(at->data, x);
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
        at->lane->kernels->resample_dot(
            at->in, data->place + (x - table->low), (int32_t)at->first, weft_resample_weights(data, from),
            table->stride, period > 0 ? period : INT32_MAX, phase, table->taps, at->out + (x - at->x0), (int)(x1 - x));
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
    float *out = at->out + (x - at->x0), *planes[CPU_RESAMPLE_MOST_PHASES] = {NULL};
    const float *inputs[CPU_RESAMPLE_MOST_PHASES];
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
        at->lane->kernels->weigh_rows(rows, weft_resample_weights(data, data->low + (x - data->low + p) % period), taps,
                                      planes[p], (count - p + period - 1) / period);
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
        case CPU_RESAMPLE_GATHER:
            by_gathering(at, low, high);
            break;
        case CPU_RESAMPLE_DOT:
            by_products(at, low, high, data->period);
            break;
        case CPU_RESAMPLE_PHASES:
            by_phases(at, low, high);
            break;
        case CPU_RESAMPLE_GROW:
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
    if (data->form != CPU_RESAMPLE_PHASES)
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
    if (!weft_resample_choose(data)) {
        weft_fail_memory(error, (size_t)data->table.outputs * data->table.stride * sizeof(float),
                         "the weights of a row");
        destroy(data);
        return WEFT_ERROR_MEMORY;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &kind,
                                         .why = data->why,
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
