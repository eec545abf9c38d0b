/* SPDX-License-Identifier: MIT
 * Weighted sums along two axes, by the kernel that choose/resample.c chooses: here those for any axes, which sum along
 * one axis at a time. */
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"

/* Makes an array a table of the pass, which then owns it. */
#define GIVE(pass, member, array, elements)                                                                            \
    (weft_gpu_give_table(pass, LAUNCH_FIELD(resample.member), array, (size_t)(elements) * sizeof *(array)),            \
     (array) = NULL)

static weft_status add_move(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                            weft_error *error) {
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "move", NULL, 0, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, &axes[WEFT_Y], error);
    if (status != WEFT_OK)
        return status;
    GIVE(pass, first_x, axes[WEFT_X].first, axes[WEFT_X].outputs);
    GIVE(pass, first_y, axes[WEFT_Y].first, axes[WEFT_Y].outputs);
    return WEFT_OK;
}

static size_t weights_of(const struct gpu_axis *axis) { return (size_t)axis->count * (size_t)axis->outputs; }

/* A pass along one axis, whose result has so many lines. `before`: the axis that the pass before went along, NULL for the
 * first pass. */
static weft_status add_line(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axis, bool down,
                            int64_t lines, struct gpu_axis *before, const weft_image_info *between, weft_error *error) {
    bool few = weft_gpu_shares_sums(lines * axis->outputs, axis->count, context->limits->multiprocessors);
    const char *kernel = few ? "weigh_share" : "weigh_line";
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, before ? between : NULL, kernel, NULL, 0, &pass, error);
    if (status == WEFT_OK && down)
        status = weft_gpu_axis_need(pass, axis, error);
    if (status != WEFT_OK)
        return status;
    if (few)
        pass->tile_width = down ? 32 : 8, pass->tile_height = 1;
    pass->launch.resample = (struct resample_launch){.down = down, .count = axis->count};
    size_t weights = weights_of(axis);
    GIVE(pass, first, axis->first, axis->outputs);
    GIVE(pass, weights, axis->weight, weights);
    if (before)
        GIVE(pass, factors, before->total, before->outputs);
    return WEFT_OK;
}

/* Whether fewer products are made when y comes first. */
static bool y_first(const struct gpu_axis *x, const struct gpu_axis *y) {
    double outputs = (double)x->outputs * (double)y->outputs;
    double first_x = (double)x->outputs * (double)y->inputs * (double)x->count + outputs * (double)y->count;
    double first_y = (double)x->inputs * (double)y->outputs * (double)y->count + outputs * (double)x->count;
    return first_y <= first_x;
}

static weft_status find_facts(const struct gpu_builder *builder, const struct gpu_node_context *context,
                              const struct gpu_axis *axes, struct gpu_multirate_case *multirate, struct gpu_resample_case *facts,
                              weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    *facts = (struct gpu_resample_case){.identity_x = x->identity,
                                        .identity_y = y->identity,
                                        .moves = x->move && y->move,
                                        .byte_parts = weft_gpu_resample_bytes_parts(builder, context, axes),
                                        .halving = weft_gpu_by_two_slots(context, axes, true),
                                        .doubling = weft_gpu_by_two_slots(context, axes, false)};
    weft_status status = weft_gpu_walk_slots(context, axes, &facts->down, &facts->up, error);
    if (status == WEFT_OK)
        status = weft_gpu_multirate_facts(builder, context, axes, multirate, error);
    facts->multirate = status == WEFT_OK && weft_gpu_choose_multirate(multirate)->choice != GPU_MULTIRATE_NONE;
    return status;
}

/* An axis after the other, that first which makes fewer products. */
static weft_status add_lines(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                             weft_error *error) {
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    const weft_image_info *in = &context->in;
    bool down = y_first(x, y);
    struct gpu_axis *first = down ? y : x, *last = down ? x : y;
    weft_image_info between = *in;
    if (down)
        between.height = y->outputs;
    else
        between.width = x->outputs;
    weft_status status = add_line(builder, context, first, down, down ? in->width : in->height, NULL, NULL, error);
    return status == WEFT_OK ? add_line(builder, context, last, !down, first->outputs, first, &between, error) : status;
}

weft_status weft_gpu_weigh(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                           weft_error *error) {
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    const weft_image_info *in = &context->in;
    struct gpu_multirate_case multirate;
    struct gpu_resample_case facts;
    weft_status status = find_facts(builder, context, axes, &multirate, &facts, error);
    if (status != WEFT_OK)
        return status;
    const struct weft_rung *rung = weft_gpu_choose_resample(&facts);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_resample_kernel)rung->choice) {
    case GPU_RESAMPLE_NOTHING:
        return weft_gpu_pass_add_point(builder, context, error);
    case GPU_RESAMPLE_MOVE:
        return add_move(builder, context, axes, error);
    case GPU_RESAMPLE_BYTES:
        return weft_gpu_add_resample_bytes(builder, context, axes, facts.byte_parts, error);
    case GPU_RESAMPLE_MULTIRATE:
        return weft_gpu_add_multirate(builder, context, axes, &multirate, error);
    case GPU_RESAMPLE_HALVE:
        return weft_gpu_add_by_two(builder, context, axes, true, error);
    case GPU_RESAMPLE_DOUBLE:
        return weft_gpu_add_by_two(builder, context, axes, false, error);
    case GPU_RESAMPLE_DOWN:
        return weft_gpu_add_resample_walk(builder, context, axes, true, facts.down, error);
    case GPU_RESAMPLE_UP:
        return weft_gpu_add_resample_walk(builder, context, axes, false, facts.up, error);
    case GPU_RESAMPLE_LINE:
        return add_line(builder, context, x->identity ? y : x, x->identity, x->identity ? in->width : in->height, NULL, NULL,
                        error);
    case GPU_RESAMPLE_LINES:
        break;
    }
    return add_lines(builder, context, axes, error);
}
