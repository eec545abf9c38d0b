/* SPDX-License-Identifier: MIT
 * Separable convolution in one step: the columns of a row first, from the ring of input rows into a row with pads, then
 * along that row. So only one row is ever padded, and the input's ring is all the memory that it takes.
 *
 * border=shrink: outside counts as 0, and the result is divided by the weight inside, which separates too: a factor per
 * column, made with the plan, and one per row. */
#include <math.h>
#include <string.h>
#include "backend/cpu/lower.h"
#include "backend/cpu/run.h"
#include "base/status.h"

struct axis_weights {
    int32_t radius;
    bool symmetric;
    float *weights; /* 2 radius + 1 of them; symmetric: radius + 1, from the centre */
    double *full;   /* 2 radius + 1 of them */
};

struct separable {
    struct axis_weights x, y;
    weft_border border;
    float *inside; /* shrink: per column, 1 / the weight inside */
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct separable *s = step->data;
    (void)i;
    weft_rows_around(y, s->y.radius, step->height, s->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct separable *s = step->data;
    (void)i;
    weft_columns_around(x0, x1, s->x.radius, step->width, s->border, first, end);
}

/* Pointers to the rows, a row outside, and the row between the two directions with its pads. */
static size_t pointers_size(const struct separable *s) {
    return weft_round_up((size_t)(2 * (int64_t)s->y.radius + 1) * sizeof(struct row)) +
           weft_round_up((size_t)(2 * (int64_t)s->y.radius + 1) * sizeof(float *));
}
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct separable *s = step->data;
    (void)columns_;
    return pointers_size(s) + weft_round_up((size_t)in_columns * sizeof(float)) +
           (size_t)(in_columns + 2 * ((int64_t)s->x.radius + 16)) * sizeof(float);
}

static void filter_column(const struct lane *lane, const struct axis_weights *w, const float *const *in, float *out,
                          int count) {
    if (w->radius == 0 && w->weights[0] == 1.0f)
        memcpy(out, in[0], (size_t)count * sizeof(float));
    else if (w->symmetric)
        lane->kernels->weigh_rows_symmetric(in, w->weights, w->radius, out, count);
    else
        lane->kernels->weigh_rows(in, w->weights, 2 * w->radius + 1, out, count);
}

static void filter_row(const struct lane *lane, const struct axis_weights *w, const float *in, float *out, int count) {
    if (w->radius == 0 && w->weights[0] == 1.0f)
        memcpy(out, in, (size_t)count * sizeof(float));
    else if (w->symmetric)
        lane->kernels->convolve_row_symmetric(in, w->weights, w->radius, out, count);
    else
        lane->kernels->convolve_row(in, w->weights, w->radius, out, count);
}

/* 1 / the weight of the rows inside the image around row y. */
static float inside_weight(const struct axis_weights *w, int64_t at, int64_t size) {
    double sum = 0, magnitude = 0;
    for (int64_t k = -w->radius; k <= w->radius; k++) {
        magnitude += fabs(w->full[k + w->radius]);
        if (at + k >= 0 && at + k < size)
            sum += w->full[k + w->radius];
    }
    return (float)(1.0 / weft_weight_inside(sum, magnitude));
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct separable *s = step->data;
    int32_t input = step->inputs[0], taps = 2 * s->y.radius + 1;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    unsigned char *state = weft_lane_state(lane, step);
    struct row *fetched = (struct row *)(void *)state;
    const float **pointers = (const float **)(void *)(state + weft_round_up((size_t)taps * sizeof(struct row)));
    weft_columns_around(first, end, s->x.radius, step->width, s->border, &in_first, &in_end);
    int count = (int)(in_end - in_first);
    float *outside = (float *)(void *)(state + pointers_size(s));
    float *middle = (float *)(void *)((unsigned char *)outside + weft_round_up((size_t)count * sizeof(float))) +
                    (s->x.radius + 15) / 16 * 16;
    bool shrink = s->border == WEFT_BORDER_SHRINK;
    float value = 0;
    if (s->border == WEFT_BORDER_CONSTANT)
        value = weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, weft_lane_block(lane, step));
    if (shrink || s->border == WEFT_BORDER_CONSTANT)
        for (int i = 0; i < count; i++)
            outside[i] = value;
    for (int32_t k = 0; k < taps; k++)
        fetched[k] = weft_lane_fetch_border(lane, input, y + k - s->y.radius, s->border);
    for (int32_t p = 0; p < step->planes; p++) {
        for (int32_t k = 0; k < taps; k++)
            pointers[k] = fetched[k].plane[0] ? weft_row_at(lane, input, &fetched[k], p, in_first) : outside;
        filter_column(lane, &s->y, pointers, middle, count);
        /* What lies left and right of the image is the border of what the columns made of it: for a constant, the
         * constant's own sum. */
        float sum = 0;
        if (s->border == WEFT_BORDER_CONSTANT)
            for (int32_t k = 0; k < taps; k++)
                sum += (float)s->y.full[k] * value;
        weft_pad_row(WEFT_ROW_F32, middle, count, s->x.radius, shrink ? WEFT_BORDER_CONSTANT : s->border, sum,
                     in_first == 0, in_end == step->width);
        filter_row(lane, &s->x, middle + (first - in_first), out->plane[p], (int)(end - first));
        if (shrink) {
            float *result = out->plane[p], factor = inside_weight(&s->y, y, step->height);
            for (int64_t x = 0; x < end - first; x++)
                result[x] *= factor * s->inside[first + x];
        }
    }
}

static void destroy(void *data) {
    struct separable *s = data;
    if (!s)
        return;
    weft_free(s->x.weights);
    weft_free(s->y.weights);
    weft_free(s->x.full);
    weft_free(s->y.full);
    weft_free(s->inside);
    weft_free(s);
}
static const struct step_kind separable = {
    .name = "convolve", .rows = rows, .columns = columns, .state_size = state_size, .run = run, .destroy = destroy};

static weft_status make_axis(const struct weft_filter *filter, const void *block, enum weft_direction direction,
                             struct axis_weights *w, weft_error *error) {
    struct weft_taps taps = {0};
    weft_status status = filter->taps(block, direction, false, &taps, error);
    if (status != WEFT_OK)
        return status;
    size_t count = 2 * (size_t)taps.radius + 1;
    w->radius = taps.radius;
    w->full = taps.weight;
    w->symmetric = true;
    for (size_t k = 0; k < count; k++)
        w->symmetric = w->symmetric && taps.weight[k] == taps.weight[count - 1 - k];
    w->weights = weft_allocate(count, sizeof *w->weights);
    if (!w->weights)
        return weft_fail_memory(error, count * sizeof *w->weights, "weights");
    for (size_t k = 0; k < count; k++)
        w->weights[k] = (float)taps.weight[w->symmetric && k <= (size_t)taps.radius ? k + (size_t)taps.radius : k];
    return WEFT_OK;
}

weft_status weft_lower_separable(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                 weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct separable *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory(error, sizeof *s, "a convolution");
    s->border = weft_filter_border(n->filter, n->block);
    weft_status status = make_axis(n->filter, n->block, WEFT_X, &s->x, error);
    if (status == WEFT_OK)
        status = make_axis(n->filter, n->block, WEFT_Y, &s->y, error);
    if (status == WEFT_OK && s->border == WEFT_BORDER_SHRINK) {
        s->inside = weft_allocate((size_t)info->width, sizeof *s->inside);
        if (!s->inside)
            status = weft_fail_memory(error, (size_t)info->width * sizeof *s->inside, "weights");
        for (int64_t x = 0; status == WEFT_OK && x < info->width; x++)
            s->inside[x] = inside_weight(&s->x, x, info->width);
    }
    if (status != WEFT_OK) {
        destroy(s);
        return status;
    }
    /* Image rows are often a round number of bytes apart and then meet in few sets of the cache; rings are laid out so
     * that they do not. Copying pays from a few rows on (gaussian=3 on f32x1 at 3840x2160 took about twice as long in place). */
    if (s->y.radius > 1)
        b->stage->steps[inputs[0]].direct = false;
    return weft_stage_add(b,
                          &(struct step){.kind = &separable,
                                         .inputs = {inputs[0]},
                                         .input_count = 1,
                                         .node = node,
                                         .data = s,
                                         .type = WEFT_ROW_F32,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height},
                          result, error);
}
