/* SPDX-License-Identifier: MIT
 * Resampling an image of u8 along x where every output has the same weights, a whole number of pixels further than the one
 * before, as gaussian_reduce does: from rows of bytes, with what the border says beside them, to planes of f32. Along y goes
 * as everywhere. */
#include "backend/cpu/steps/multirate/decimate.h"
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/resample/resample.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

#define BEYOND 128 /* bytes that are read behind the last tap */
#define PIECE 4096 /* bytes that are gone through while as many more are asked for */

static int64_t first_tap(const struct decimate *d, int64_t x) { return d->first + x * d->of.step; }
static int64_t end_of_taps(const struct decimate *d, int64_t x1) { return first_tap(d, x1 - 1) + d->taps; }

/* A pad is made of as many pixels beside the edge, and of one more where a mirror lies on that. */
static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct decimate *d = step->data;
    int64_t from = first_tap(d, x0), to = end_of_taps(d, x1), width = d->width;
    int64_t low = from < 0 ? 0 : from, high = to > width ? width : to;
    (void)i;
    if (from < 0)
        high = high > 1 - from ? high : 1 - from < width ? 1 - from : width;
    if (to > width)
        low = low < 2 * width - to - 1 ? low : 2 * width - to - 1 > 0 ? 2 * width - to - 1 : 0;
    if (d->border == WEFT_BORDER_WRAP && (from < 0 || to > width))
        low = 0, high = width;
    *first = low, *end = high;
}

/* The state: columns of a row with their pads. */
static size_t left_size(const struct decimate *d) {
    return weft_round_up((size_t)d->left * (size_t)d->of.channels);
}
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct decimate *d = step->data;
    (void)columns_;
    return left_size(d) + weft_round_up((size_t)(in_columns + d->right) * (size_t)d->of.channels + BEYOND);
}

/* What run knows of the row that it is at. */
struct place {
    const struct step *step;
    const struct decimate *d;
    const struct weft_kernels *kernels;
    const uint8_t *in, *next; /* column 0 of this row and of the next one, or NULL */
    uint8_t *copy;
    const struct row *out;
    int64_t x0;
};

static void decimate(const struct place *at, const uint8_t *first, int64_t x, int64_t x1) {
    float *planes[4];
    for (int32_t k = 0; k < at->step->planes; k++)
        planes[k] = (float *)at->out->plane[k] + (x - at->x0);
    at->kernels->decimate_bytes(&at->d->of, first, planes, (int)(x1 - x));
}

/* Outputs [x, x1) of which some look beyond the edges: from a copy with pads. */
static void by_copy(const struct place *at, int64_t x, int64_t x1) {
    const struct decimate *d = at->d;
    int32_t channels = d->of.channels;
    if (x >= x1)
        return;
    int64_t from = first_tap(d, x), to = end_of_taps(d, x1), first, end;
    columns(at->step, 0, x, x1, &first, &end);
    memcpy(at->copy, at->in + first * channels, (size_t)((end - first) * channels));
    if (from < 0)
        weft_pad_row(WEFT_ROW_U8, at->copy, channels, end - first, -from, d->border, 0, true, false);
    if (to > d->width)
        weft_pad_row(WEFT_ROW_U8, at->copy, channels, end - first, to - d->width, d->border, 0, false, true);
    /* What is read behind the last tap has weight 0, but it must be initialized. */
    memset(at->copy + (end - first + (to > d->width ? to - d->width : 0)) * channels, 0, BEYOND);
    decimate(at, at->copy + (from - first) * channels, x, x1);
}

/* Outputs [x, x1) that look at nothing but the image, by pieces; behind the last of a row comes the beginning of the next. */
static void in_place(const struct place *at, int64_t x, int64_t x1) {
    const struct decimate *d = at->d;
    int64_t pixels = PIECE / d->of.channels, outputs = pixels / d->of.step;
    int64_t bytes = outputs * d->of.step * d->of.channels;
    for (; x < x1; x += outputs) {
        const uint8_t *first = at->in + first_tap(d, x) * d->of.channels;
        if (x + outputs < x1)
            weft_prefetch((uintptr_t)first + (uintptr_t)(d->taps * d->of.channels + bytes), bytes);
        else if (at->next)
            weft_prefetch((uintptr_t)at->next, bytes);
        decimate(at, first, x, x + outputs < x1 ? x + outputs : x1);
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct decimate *d = step->data;
    int32_t input = step->inputs[0];
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step);
    ptrdiff_t skip = lane->first[input] * d->of.channels;
    struct place at = {.step = step,
                       .d = d,
                       .kernels = lane->kernels,
                       .in = (const uint8_t *)weft_lane_fetch(lane, input, y).plane[0] - skip,
                       .copy = (uint8_t *)weft_lane_state(lane, step) + left_size(d),
                       .out = out,
                       .x0 = x0};
    if (y + 1 < step->height)
        at.next = at.in + skip + weft_source_stride(lane, &lane->stage->steps[input]);
    /* What is read behind the last tap must lie in the row too. */
    int64_t room = d->width - d->taps - BEYOND - d->first, low = x0, high = room < 0 ? x0 : room / d->of.step + 1;
    while (low < x1 && first_tap(d, low) < 0)
        low++;
    high = high < low ? low : high > x1 ? x1 : high;
    by_copy(&at, x0, low);
    in_place(&at, low, high);
    by_copy(&at, high, x1);
}

/* The state needs no initialization. */
static void begin(struct lane *lane, const struct step *step) { (void)lane, (void)step; }

static void destroy(void *data) {
    struct decimate *d = data;
    weft_free(d->of.weights);
    weft_free(d->of.u16.weights);
    weft_free(d);
}

static const struct step_kind kind = {
    .name = "decimate x", .columns = columns, .state_size = state_size, .begin = begin, .run = run, .destroy = destroy};

/* The pixels from output to output, where all have the weights of the first one; otherwise 0. */
static int64_t find_step(const struct weft_axis *axis) {
    size_t count = (size_t)axis->count;
    int64_t step = axis->size > 1 ? axis->first[1] - axis->first[0] : 0;
    for (int64_t i = 1; i < axis->size; i++)
        if (axis->first[i] != axis->first[0] + i * step ||
            memcmp(axis->weight + (size_t)i * count, axis->weight, count * sizeof *axis->weight) != 0)
            return 0;
    return step;
}

/* *made is NULL where another form must do. */
static weft_status make(const struct weft_axis *axis, const weft_image_info *info, weft_border border,
                        const struct weft_kernels *kernels, struct decimate **made, const char **why,
                        weft_error *error) {
    int16_t whole[CPU_DECIMATE_TAPS];
    int32_t shift = 0;
    int64_t step = find_step(axis), end = axis->first[axis->size - 1] + axis->count;
    *made = NULL;
    struct decimate of_axis = {.of = {.channels = info->format.channels, .step = (int32_t)step},
                               .first = axis->first[0],
                               .taps = axis->count,
                               .width = info->width,
                               .border = border};
    of_axis.left = of_axis.first < 0 ? -of_axis.first : 0;
    of_axis.right = end > info->width ? end - info->width : 0;
    int64_t pad = of_axis.left > of_axis.right ? of_axis.left : of_axis.right;
    bool inside = end > 0 && of_axis.first < info->width;
    bool rounds = step > 0 && axis->count <= CPU_DECIMATE_TAPS && weft_decimate_round(axis, whole, &shift);
    const struct cpu_decimate_case facts = {.kernels = kernels,
                                            .type = info->format.type,
                                            .border = border,
                                            .step = step,
                                            .taps = axis->count,
                                            .rounds = rounds,
                                            .inside = inside,
                                            .pad = pad};
    const struct weft_rung *rung = weft_cpu_choose_decimate(&facts);
    if (rung->choice == CPU_DECIMATE_RESAMPLE)
        return WEFT_OK;
    struct decimate *d = weft_allocate(1, sizeof *d);
    if (!d)
        return weft_fail_memory(error, sizeof *d, "a resampling");
    *d = of_axis;
    d->of.factor = (float)(1 / (255 * ldexp(1, shift)));
    if (!(rung->choice == CPU_DECIMATE_U16 ? weft_decimate_lay_out_u16(d, whole) : weft_decimate_lay_out(d, whole))) {
        destroy(d);
        return weft_fail_memory(error, 128, "weights");
    }
    *made = d, *why = rung->when;
    return WEFT_OK;
}

weft_status weft_lower_decimate(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &image->info;
    weft_border border = weft_filter_border(n->filter, n->block);
    struct weft_axis x = {0}, y = {0};
    struct resample_table table = {0};
    struct decimate *d = NULL;
    const char *why = NULL;
    int32_t input;
    *result = -1;
    weft_status status = n->filter->axis(n->block, WEFT_X, info->width, &x, error);
    if (status == WEFT_OK)
        status = make(&x, info, border, b->kernels, &d, &why, error);
    weft_axis_clear(&x);
    if (status != WEFT_OK || !d)
        return status;
    status = n->filter->axis(n->block, WEFT_Y, info->height, &y, error);
    if (status == WEFT_OK)
        status = weft_resample_table(&y, info->height, border, &table, error);
    if (status == WEFT_OK)
        status = weft_lower_source(b, image, WEFT_ROW_U8, true, &input, error);
    if (status != WEFT_OK) {
        weft_resample_clear(&table);
        destroy(d);
        return status;
    }
    struct step step = {.kind = &kind,
                        .why = why,
                        .inputs = {input},
                        .input_count = 1,
                        .node = node,
                        .data = d,
                        .type = WEFT_ROW_F32,
                        .planes = info->format.channels,
                        .width = b->typed->info[node].width,
                        .height = info->height};
    status = weft_stage_add(b, &step, &input, error);
    if (status == WEFT_OK && !table.identity)
        status = weft_resample_y(b, node, &table, NULL, &input, error);
    weft_resample_clear(&table);
    *result = status == WEFT_OK ? input : -1;
    return status;
}
