/* SPDX-License-Identifier: MIT
 * Separable convolution from an image of u8 to another, in integers and on interleaved pixels: first down the columns into a row of
 * 16 bits with pads, then along that row into the output. */
#include "backend/cpu/choose/convolve.h"
#include "backend/cpu/steps/convolve/fixed_weights.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

#define LATE_RADIUS 2    /* up to which writing the output takes longer than the sums */
#define SHORT_ROWS 16384 /* bytes of all that a row reads: a part of a first-level cache */

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

/* The rows, pointers to them, and the row between the two directions with its pads. */
static size_t fetched_size(const struct convolve_fixed *c) {
    return weft_round_up((2 * (size_t)c->y.radius + 1) * sizeof(struct row));
}
static size_t pointers_size(const struct convolve_fixed *c) {
    return weft_round_up((2 * (size_t)c->y.radius + 1) * sizeof(uint8_t *));
}
static size_t pad_size(const struct step *step) {
    const struct convolve_fixed *c = step->data;
    return weft_round_up((size_t)c->x.radius * (size_t)step->interleave * sizeof(int16_t));
}
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    (void)columns_;
    return fetched_size(step->data) + pointers_size(step->data) + 2 * pad_size(step) +
           weft_round_up((size_t)in_columns * (size_t)step->interleave * sizeof(int16_t));
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct convolve_fixed *c = step->data;
    int32_t input = step->inputs[0], interleave = step->interleave;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    struct row *fetched = weft_lane_state(lane, step);
    unsigned char *state = (unsigned char *)fetched + fetched_size(c);
    const uint8_t **pointers = (const uint8_t **)(void *)state;
    int16_t *middle = (int16_t *)(void *)(state + pointers_size(c) + pad_size(step));
    weft_columns_around(first, end, c->x.radius, step->width, c->border, &in_first, &in_end);
    weft_lane_fetch_rows(lane, input, y - c->y.radius, 2 * c->y.radius + 1, c->border, fetched);
    if (weft_lane_stops(lane, 0))
        return;
    for (int32_t k = 0; k <= 2 * c->y.radius; k++)
        pointers[k] = (const uint8_t *)fetched[k].plane[0] + (in_first - lane->first[input]) * interleave;
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
    .name = "separable", .rows = rows, .columns = columns, .state_size = state_size, .run = run, .destroy = destroy};

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

/* Whether a filter is made directly, though its composite has a form on a coarse grid. */
weft_status weft_cpu_keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info,
                           int32_t n, bool *kept, weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[n];
    const struct weft_kernels *kernels = &((const struct cpu_device *)(const void *)device)->kernels;
    weft_status status = WEFT_OK;
    /* Windows of patches have a step of their own. */
    *kept = node->filter->kind == WEFT_KIND_WINDOW && !node->filter->squares && !node->filter->guided;
    if (node->filter->kind != WEFT_KIND_SEPARABLE)
        return WEFT_OK;
    struct cpu_coarse_case facts = {.type = info[n].format.type,
                                    .border = weft_filter_border(node->filter, node->block),
                                    .plain = info[n].alpha == WEFT_ALPHA_NONE && node->space != WEFT_SPACE_LINEAR,
                                    .has_fixed = kernels->has_fixed,
                                    .decimates = kernels->decimate_bytes != NULL};
    for (int32_t i = 0; i < graph->output_count; i++)
        facts.image = facts.image || (graph->outputs[i] == n && !graph->nodes[node->inputs[0]].filter);
    *kept = weft_cpu_choose_coarse(&facts)->choice == CPU_COARSE_DIRECT; /* whatever its radius is */
    for (int32_t d = 0; *kept && status == WEFT_OK && d < 2; d++) {
        struct weft_taps taps = {0};
        status = node->filter->taps(node->block, d ? WEFT_Y : WEFT_X, false, &taps, error);
        facts.radius = taps.radius;
        *kept = status == WEFT_OK && weft_cpu_choose_coarse(&facts)->choice == CPU_COARSE_DIRECT;
        weft_free(taps.weight);
    }
    return status;
}

weft_status weft_lower_convolve_fixed(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                      weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    weft_border border = weft_filter_border(n->filter, n->block);
    int32_t input;
    *result = -1;
    struct cpu_convolve_case facts = {.type = info->format.type,
                                      .channels = info->format.channels,
                                      .border = border,
                                      .image = true,
                                      .has_fixed = b->kernels->has_fixed,
                                      .whole = true};
    if (weft_cpu_choose_convolve(&facts)->choice != CPU_CONVOLVE_FIXED) /* whatever its weights are */
        return WEFT_OK;
    struct convolve_fixed *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory(error, sizeof *c, "a convolution");
    c->border = border;
    weft_status status = make_weights(n, c, &facts.whole, error);
    facts.radius_y = c->y.radius;
    const struct weft_rung *rung = weft_cpu_choose_convolve(&facts);
    bool fits = status == WEFT_OK && rung->choice == CPU_CONVOLVE_FIXED;
    if (fits)
        status = weft_lower_source(b, image, WEFT_ROW_U8, true, &input, error);
    if (status != WEFT_OK || !fits) {
        destroy(c);
        return status;
    }
    /* Rows of an image are often a round number of bytes apart and then compete for few sets of the cache. So few rows fit all the
     * same, and short rows do too. */
    struct step *source = &b->stage->steps[input];
    if (c->y.radius > 6 && source->width * (int64_t)weft_step_element(source) * (2 * c->y.radius + 1) > SHORT_ROWS)
        source->direct = false;
    struct step step = {.kind = &kind,
                        .why = rung->when,
                        .inputs = {input},
                        .input_count = 1,
                        .node = node,
                        .data = c,
                        .type = WEFT_ROW_U8,
                        .late = c->y.radius <= LATE_RADIUS,
                        .divisible = true};
    return weft_stage_add_whole(b, step, result, error);
}
