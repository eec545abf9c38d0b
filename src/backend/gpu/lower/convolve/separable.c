/* SPDX-License-Identifier: MIT
 * Separable filters: the weights of both axes from the filter, and the passes of the kernel that choose/convolve.c chooses. Sums of
 * products are one launch up to a radius, otherwise one for each axis. With border=shrink what is outside counts as 0, and the
 * result is divided by the weight inside, which separates, too: a factor for each column and each row. */
#include <math.h>
#include <string.h>
#include "backend/gpu/lower/convolve/convolve.h"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"
#include "kernels/gpu/tile/tile.h"

/* Output i of an axis is factor[i] times the sum over k of weight[k] * input[i - radius + k]. */
struct axis {
    int32_t size, radius;
    float *weight; /* 2 radius + 1 */
    float *factor; /* NULL: 1 */
    float sum;     /* of the weights */
    bool identity; /* output i is input i */
};

static void clear(struct axis *axis) {
    weft_free(axis->weight);
    weft_free(axis->factor);
    axis->weight = axis->factor = NULL;
}

/* Makes an array a table of the pass, which then owns it. */
static void give(struct gpu_pass *pass, size_t field, float **array, size_t elements) {
    weft_gpu_give_table(pass, field, *array, elements * sizeof **array);
    *array = NULL;
}

/* 1 / the weight inside, for each of `size` outputs. */
static weft_status find_factors(const struct weft_taps *taps, int64_t size, float **factor, weft_error *error) {
    double magnitude = 0;
    int64_t radius = taps->radius;
    *factor = weft_allocate((size_t)size, sizeof **factor);
    if (!*factor)
        return weft_fail_memory(error, (size_t)size * sizeof **factor, "the weights inside an image");
    for (int64_t k = 0; k <= 2 * radius; k++)
        magnitude += fabs(taps->weight[k]);
    for (int64_t i = 0; i < size; i++) {
        int64_t first = i < radius ? radius - i : 0, last = size - 1 - i < radius ? radius + size - 1 - i : 2 * radius;
        double inside = 0;
        for (int64_t k = first; k <= last; k++)
            inside += taps->weight[k];
        (*factor)[i] = (float)(1 / weft_weight_inside(inside, magnitude));
    }
    return WEFT_OK;
}

static weft_status find_taps(const struct gpu_node_context *context, enum weft_direction direction, struct weft_taps *taps,
                             weft_error *error) {
    if (context->filter->kind != WEFT_KIND_BOX)
        return context->filter->taps(context->block, direction, false, taps, error);
    size_t count = 2 * (size_t)context->filter->reach(context->block, direction) + 1;
    taps->radius = context->filter->reach(context->block, direction);
    taps->weight = weft_allocate(count, sizeof *taps->weight);
    if (!taps->weight)
        return weft_fail_memory(error, count * sizeof *taps->weight, "weights");
    for (size_t k = 0; k < count; k++)
        taps->weight[k] = 1 / (double)count;
    return WEFT_OK;
}

static bool changes_nothing(const struct weft_taps *taps) { return taps->radius == 0 && taps->weight[0] == 1; }

static weft_status make_axis(const struct gpu_node_context *context, enum weft_direction direction, const struct weft_taps *of,
                             struct axis *axis, weft_error *error) {
    const struct weft_taps taps = of[direction];
    int64_t size = direction == WEFT_X ? context->in.width : context->in.height;
    weft_border border = weft_filter_border(context->filter, context->block);
    weft_status status = WEFT_OK;
    double sum = 0;
    size_t count = 2 * (size_t)taps.radius + 1;
    *axis = (struct axis){.size = (int32_t)size,
                          .radius = taps.radius,
                          .identity = changes_nothing(&taps)};
    axis->weight = weft_allocate(count, sizeof *axis->weight);
    if (!axis->weight)
        status = weft_fail_memory(error, count * sizeof *axis->weight, "weights");
    for (size_t k = 0; status == WEFT_OK && k < count; k++) {
        axis->weight[k] = (float)taps.weight[k];
        sum += taps.weight[k];
    }
    axis->sum = (float)sum;
    /* An axis that changes nothing needs no factor: all of its weight is inside the image. */
    if (status == WEFT_OK && border == WEFT_BORDER_SHRINK && !axis->identity)
        status = find_factors(&taps, size, &axis->factor, error);
    return status;
}

/* The weights of an axis, with 0 up to a larger radius. */
static void give_weights(const struct axis *axis, int32_t radius, float *weight) {
    memcpy(weight + (radius - axis->radius), axis->weight, (2 * (size_t)axis->radius + 1) * sizeof *weight);
}

static weft_status add_strip(struct gpu_builder *builder, const struct gpu_node_context *context, struct axis *axes,
                             int32_t radius, weft_error *error) {
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, "separable", (const int32_t[]){radius, planes}, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = STRIP_COLUMNS - 2 * SEPARABLE_HALO(radius);
    pass->tile_height = SEPARABLE_ROWS(radius, planes);
    pass->walks = true;
    pass->occupancy = SEPARABLE_BLOCKS_PER_SM(radius, planes);
    pass->reach = radius; /* rows beyond the filter's are read too */
    pass->launch.convolve = (struct convolve_launch){.shrinks = axes[WEFT_X].factor != NULL,
                                                     .radius_x = axes[WEFT_X].radius,
                                                     .radius_y = axes[WEFT_Y].radius};
    give_weights(&axes[WEFT_X], radius, pass->launch.weight_x);
    give_weights(&axes[WEFT_Y], radius, pass->launch.weight_y);
    give(pass, LAUNCH_FIELD(convolve.factors_x), &axes[WEFT_X].factor, (size_t)axes[WEFT_X].size);
    give(pass, LAUNCH_FIELD(convolve.factors_y), &axes[WEFT_Y].factor, (size_t)axes[WEFT_Y].size);
    return status;
}

/* The weights of an axis as `convolve_line` takes them: 0 up to a radius that is a multiple of 4, and 0 behind. */
static weft_status give_line(struct gpu_pass *pass, const struct axis *axis, weft_error *error) {
    int64_t radius = ((int64_t)axis->radius + 3) / 4 * 4, before = radius - axis->radius;
    int64_t count = 2 * (int64_t)axis->radius + 1;
    int64_t all = (before + count + 2 * CONVOLVE_MADE - 2) / CONVOLVE_MADE * CONVOLVE_MADE;
    float *weight = weft_allocate((size_t)all, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, (size_t)all * sizeof *weight, "the weights of an axis");
    memcpy(weight + before, axis->weight, (size_t)count * sizeof *weight);
    pass->launch.convolve.count = (int32_t)all;
    pass->launch.convolve.before = (int32_t)radius;
    pass->launch.convolve.radius = axis->radius;
    give(pass, LAUNCH_FIELD(convolve.weights), &weight, (size_t)all);
    return WEFT_OK;
}

/* A pass along one axis. `before`: the axis that the pass before went along, NULL for the first pass. */
static weft_status add_line(struct gpu_builder *builder, const struct gpu_node_context *context, struct axis *axis, bool down,
                            const struct axis *before, weft_error *error) {
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, context, before ? &context->in : NULL, "convolve_line", &planes, 1, &pass, error);
    if (status == WEFT_OK)
        status = give_line(pass, axis, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = down ? CONVOLVE_ACROSS(planes) : CONVOLVE_LINE;
    pass->tile_height = down ? CONVOLVE_LINE : CONVOLVE_ACROSS(planes);
    pass->reach = pass->launch.radius_y = down ? axis->radius : 0;
    pass->launch.convolve.down = down;
    if (before)
        pass->border_scale = before->sum;
    give(pass, LAUNCH_FIELD(convolve.factors), &axis->factor, (size_t)axis->size);
    return WEFT_OK;
}

static weft_status add_lines(struct gpu_builder *builder, const struct gpu_node_context *context, struct axis *axes,
                             weft_error *error) {
    struct axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    weft_status status = x->identity ? WEFT_OK : add_line(builder, context, x, false, NULL, error);
    return status != WEFT_OK || y->identity ? status : add_line(builder, context, y, true, x->identity ? NULL : x, error);
}

/* By sums of products. */
static weft_status add_sums(struct gpu_builder *builder, const struct gpu_node_context *context, const struct weft_taps *taps,
                            bool strip, weft_error *error) {
    struct axis axes[2] = {{0}};
    weft_status status = make_axis(context, WEFT_X, taps, &axes[WEFT_X], error);
    if (status == WEFT_OK)
        status = make_axis(context, WEFT_Y, taps, &axes[WEFT_Y], error);
    if (status == WEFT_OK && strip)
        status = add_strip(builder, context, axes, weft_gpu_separable_radius(axes[WEFT_X].radius, axes[WEFT_Y].radius), error);
    else if (status == WEFT_OK)
        status = add_lines(builder, context, axes, error);
    clear(&axes[WEFT_X]);
    clear(&axes[WEFT_Y]);
    return status;
}

/* The type of the image that the context reads; 0 where it does more than that with it. */
static int32_t type_of(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    for (int32_t type = TYPE_U8; type <= TYPE_F32; type++)
        if (weft_gpu_is_direct_but_alpha(builder, context, type))
            return type;
    return 0;
}

/* What stands outside is a number of every type, and times itself the same. */
static bool border_fits(const struct gpu_node_context *context) {
    weft_border border = weft_filter_border(context->filter, context->block);
    float value = weft_filter_border_value(context->filter, context->block);
    return border != WEFT_BORDER_SHRINK && (border != WEFT_BORDER_CONSTANT || value == 0 || value == 1);
}

static struct gpu_convolve_case case_of(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                        const struct weft_taps *taps) {
    bool box = context->filter->kind == WEFT_KIND_BOX;
    int32_t type = type_of(builder, context);
    return (struct gpu_convolve_case){.radius_x = taps[WEFT_X].radius,
                                      .radius_y = taps[WEFT_Y].radius,
                                      .identity_x = changes_nothing(&taps[WEFT_X]),
                                      .identity_y = changes_nothing(&taps[WEFT_Y]),
                                      .channels = context->in.format.channels,
                                      .box = box,
                                      .means = weft_taps_are_mean(&taps[WEFT_X]) && weft_taps_are_mean(&taps[WEFT_Y]),
                                      .type = type,
                                      .direct = type != 0 && weft_gpu_is_direct(builder, context, type),
                                      .border_fits = border_fits(context),
                                      .slabs = box ? 0 : weft_gpu_find_slabs(builder, context, taps),
                                      .has_mma_floats = context->limits->has_mma_floats,
                                      .has_mma_cooperative = context->limits->has_mma_cooperative};
}

static weft_status add_chosen(struct gpu_builder *builder, const struct gpu_node_context *context, const struct weft_taps *taps,
                              weft_error *error) {
    struct gpu_convolve_case convolve = case_of(builder, context, taps);
    const struct weft_rung *rung = weft_gpu_choose_convolve(&convolve);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_convolve_kernel)rung->choice) {
    case GPU_CONVOLVE_NOTHING:
        return weft_gpu_pass_add_point(builder, context, error);
    case GPU_CONVOLVE_BYTES:
        return weft_gpu_add_convolve_bytes(builder, context, convolve.slabs, taps, error);
    case GPU_CONVOLVE_COOPERATIVE:
        return weft_gpu_add_convolve_cooperative(builder, context, &convolve, taps, error);
    case GPU_CONVOLVE_MATRIX:
        return weft_gpu_add_convolve_matrix(builder, context, &convolve, taps, error);
    case GPU_CONVOLVE_LINE_MATRIX:
        return weft_gpu_add_convolve_line_matrix(builder, context, &convolve, taps, error);
    case GPU_CONVOLVE_SEPARABLE:
        return add_sums(builder, context, taps, true, error);
    case GPU_CONVOLVE_LINES:
        break;
    }
    return add_sums(builder, context, taps, false, error);
}

weft_status weft_gpu_lower_separable(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct weft_taps taps[2] = {{0}};
    weft_status status = find_taps(context, WEFT_X, &taps[WEFT_X], error);
    if (status == WEFT_OK)
        status = find_taps(context, WEFT_Y, &taps[WEFT_Y], error);
    if (status == WEFT_OK)
        status = add_chosen(builder, context, taps, error);
    weft_free(taps[WEFT_X].weight);
    weft_free(taps[WEFT_Y].weight);
    return status;
}
