/* SPDX-License-Identifier: MIT
 * Separable convolution of an image of u8 into another, in whole numbers and without taking its pixels apart: columns
 * of an input row first, into a row of 16 bits with pads, then along that row into the output. */
#include "backend/cpu/fixed_weights.h"
#include "backend/cpu/lower.h"
#include "backend/cpu/program.h"
#include "backend/cpu/run.h"
#include "base/status.h"

struct convolve_fixed {
    struct weft_fixed_weights x, y;
    weft_border border;
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct convolve_fixed *c = step->data;
    (void)i;
    weft_rows_around(y, c->y.radius, step->height, c->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct convolve_fixed *c = step->data;
    (void)i;
    weft_columns_around(x0, x1, c->x.radius, step->width, c->border, first, end);
}

/* Pointers to the rows, and the row between the two directions with its pads. */
static size_t pointers_size(const struct convolve_fixed *c) {
    return weft_round_up((2 * (size_t)c->y.radius + 1) * sizeof(uint8_t *));
}
static size_t pad_size(const struct step *step) {
    const struct convolve_fixed *c = step->data;
    return weft_round_up((size_t)c->x.radius * (size_t)step->interleave * sizeof(int16_t));
}
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    (void)columns_;
    return pointers_size(step->data) + 2 * pad_size(step) +
           weft_round_up((size_t)in_columns * (size_t)step->interleave * sizeof(int16_t));
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct convolve_fixed *c = step->data;
    int32_t input = step->inputs[0], interleave = step->interleave;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    unsigned char *state = weft_lane_state(lane, step);
    const uint8_t **pointers = (const uint8_t **)(void *)state;
    int16_t *middle = (int16_t *)(void *)(state + pointers_size(c) + pad_size(step));
    weft_columns_around(first, end, c->x.radius, step->width, c->border, &in_first, &in_end);
    for (int32_t k = -c->y.radius; k <= c->y.radius; k++) {
        struct row row = weft_lane_fetch_border(lane, input, y + k, c->border);
        pointers[k + c->y.radius] = (const uint8_t *)row.plane[0] + (in_first - lane->first[input]) * interleave;
    }
    lane->kernels->weigh_rows_fixed(pointers, &c->y, middle, (int)((in_end - in_first) * interleave));
    weft_pad_row(WEFT_ROW_U16, middle, interleave, in_end - in_first, c->x.radius, c->border, 0, in_first == 0,
                 in_end == step->width);
    lane->kernels->convolve_row_fixed(middle + (first - in_first) * interleave, &c->x, interleave, out->plane[0],
                                      (int)((end - first) * interleave));
}

static void destroy(void *data) {
    struct convolve_fixed *c = data;
    weft_free(c->x.weight);
    weft_free(c->y.weight);
    weft_free(c);
}
static const struct step_kind kind = {
    .name = "convolve", .rows = rows, .columns = columns, .state_size = state_size, .run = run, .destroy = destroy};

/* The weights, or *fits false. */
static weft_status make_weights(const struct weft_graph_node *n, struct convolve_fixed *c, bool *fits,
                                weft_error *error) {
    struct weft_taps x = {0}, y = {0};
    weft_status status = n->filter->taps(n->block, WEFT_X, false, &x, error);
    if (status == WEFT_OK)
        status = n->filter->taps(n->block, WEFT_Y, false, &y, error);
    if (status == WEFT_OK)
        status = weft_fixed_weights(&x, &y, &c->x, &c->y, fits, error);
    weft_free(x.weight);
    weft_free(y.weight);
    return status;
}

weft_status weft_lower_convolve_fixed(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                      weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    weft_border border = weft_filter_border(n->filter, n->block);
    int32_t input;
    bool fits;
    *result = -1;
    /* A constant outside may be no whole number, and shrink is no sum. */
    if (info->format.type != WEFT_U8 || border == WEFT_BORDER_CONSTANT || border == WEFT_BORDER_SHRINK)
        return WEFT_OK;
    struct convolve_fixed *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory(error, sizeof *c, "a convolution");
    c->border = border;
    weft_status status = make_weights(n, c, &fits, error);
    if (status == WEFT_OK && fits)
        status = weft_lower_source(b, image, WEFT_ROW_U8, true, &input, error);
    if (status != WEFT_OK || !fits) {
        destroy(c);
        return status;
    }
    /* Rows of an image may meet in few sets of the cache; so many fit there all the same. */
    if (c->y.radius > 6)
        b->stage->steps[input].direct = false;
    return weft_stage_add(b,
                          &(struct step){.kind = &kind,
                                         .inputs = {input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = c,
                                         .type = WEFT_ROW_U8,
                                         .planes = 1,
                                         .interleave = info->format.channels,
                                         .width = info->width,
                                         .height = info->height},
                          result, error);
}
