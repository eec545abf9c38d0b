/* SPDX-License-Identifier: MIT
 * Separable filters: the weights of both axes from the filter, which up to a radius are one launch, otherwise one for
 * each axis. border=shrink: outside counts as 0, and the result is divided by the weight inside, which separates too: a
 * factor for each column and each row. */
#include <math.h>
#include <string.h>
#include "backend/gpu/pass/pass.h"
#include "base/memory.h"
#include "base/status.h"
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

/* Makes an array of 4-byte elements table `i` of the pass, which then owns it. */
static void give(struct gpu_pass *pass, int32_t i, float **array, size_t elements) {
    pass->table[i].data = *array;
    pass->table[i].size = *array ? elements * sizeof **array : 0;
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

weft_status weft_gpu_find_taps(const struct gpu_node_context *context, enum weft_direction direction, struct weft_taps *taps,
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

static weft_status make_axis(const struct gpu_node_context *context, enum weft_direction direction, struct axis *axis,
                             weft_error *error) {
    struct weft_taps taps = {0};
    int64_t size = direction == WEFT_X ? context->in.width : context->in.height;
    weft_border border = weft_filter_border(context->filter, context->block);
    weft_status status = weft_gpu_find_taps(context, direction, &taps, error);
    if (status != WEFT_OK)
        return status;
    double sum = 0;
    size_t count = 2 * (size_t)taps.radius + 1;
    *axis = (struct axis){.size = (int32_t)size,
                          .radius = taps.radius,
                          .identity = taps.radius == 0 && taps.weight[0] == 1};
    axis->weight = weft_allocate(count, sizeof *axis->weight);
    if (!axis->weight)
        status = weft_fail_memory(error, count * sizeof *axis->weight, "weights");
    for (size_t k = 0; status == WEFT_OK && k < count; k++) {
        axis->weight[k] = (float)taps.weight[k];
        sum += taps.weight[k];
    }
    axis->sum = (float)sum;
    /* Of an axis that changes nothing all the weight is inside. */
    if (status == WEFT_OK && border == WEFT_BORDER_SHRINK && !axis->identity)
        status = find_factors(&taps, size, &axis->factor, error);
    weft_free(taps.weight);
    return status;
}

/* The forms of the kernel `separable`, as in its variants. */
static const int32_t strip_radii[] = {1, 2, 4, 5, 8, 9, 14, 16, 18};
#define STRIP_RADII ((int32_t)(sizeof strip_radii / sizeof *strip_radii))
#define STRIP_THREADS 256
_Static_assert(2 * 18 + 1 <= LAUNCH_WEIGHTS, "the weights of the largest radius must fit a launch");

/* The radius of the form that takes filters of these radii, 0 without. */
static int32_t strip_radius(int64_t x, int64_t y) {
    int64_t larger = x > y ? x : y, smaller = x > y ? y : x;
    for (int32_t i = 0; i < STRIP_RADII; i++)
        if (strip_radii[i] >= larger && smaller >= SEPARABLE_LEAST(strip_radii[i]))
            return strip_radii[i];
    return 0;
}

bool weft_gpu_weighs_at_once(int64_t radius_x, int64_t radius_y) { return strip_radius(radius_x, radius_y) > 0; }

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
    pass->tile_width = STRIP_THREADS - 2 * SEPARABLE_HALO(radius);
    pass->tile_height = SEPARABLE_ROWS(radius, planes);
    pass->walks = true;
    pass->occupancy = SEPARABLE_BLOCKS_PER_SM(radius, planes);
    pass->reach = radius; /* rows beyond the filter's are read too */
    pass->launch.number[0] = axes[WEFT_X].factor != NULL;
    pass->launch.number[1] = axes[WEFT_X].radius;
    pass->launch.number[2] = axes[WEFT_Y].radius;
    give_weights(&axes[WEFT_X], radius, pass->launch.weight_x);
    give_weights(&axes[WEFT_Y], radius, pass->launch.weight_y);
    for (int i = 0; i < 2; i++)
        give(pass, i, &axes[i].factor, (size_t)axes[i].size);
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
    pass->launch.number[1] = (int32_t)all;
    pass->launch.number[2] = (int32_t)radius;
    pass->launch.number[3] = axis->radius;
    give(pass, 1, &weight, (size_t)all);
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
    pass->launch.number[0] = down;
    if (before)
        pass->border_scale = before->sum;
    give(pass, 0, &axis->factor, (size_t)axis->size);
    return WEFT_OK;
}

static weft_status add_lines(struct gpu_builder *builder, const struct gpu_node_context *context, struct axis *axes,
                             weft_error *error) {
    struct axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    if (x->identity && y->identity)
        return weft_gpu_pass_add_point(builder, context, error);
    weft_status status = x->identity ? WEFT_OK : add_line(builder, context, x, false, NULL, error);
    return status != WEFT_OK || y->identity ? status : add_line(builder, context, y, true, x->identity ? NULL : x, error);
}

weft_status weft_gpu_lower_separable(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct axis axes[2] = {{0}};
    bool lowered = false;
    weft_status status = context->filter->kind == WEFT_KIND_BOX
                             ? WEFT_OK
                             : weft_gpu_lower_convolve_bytes(builder, context, &lowered, error);
    if (status == WEFT_OK && !lowered)
        status = weft_gpu_lower_convolve_matrix(builder, context, &lowered, error);
    if (status != WEFT_OK || lowered)
        return status;
    status = make_axis(context, WEFT_X, &axes[WEFT_X], error);
    if (status == WEFT_OK)
        status = make_axis(context, WEFT_Y, &axes[WEFT_Y], error);
    int32_t radius = strip_radius(axes[WEFT_X].radius, axes[WEFT_Y].radius);
    bool strip = radius > 0 && !axes[WEFT_X].identity && !axes[WEFT_Y].identity;
    if (status == WEFT_OK)
        status = strip ? add_strip(builder, context, axes, radius, error) : add_lines(builder, context, axes, error);
    clear(&axes[WEFT_X]);
    clear(&axes[WEFT_Y]);
    return status;
}
