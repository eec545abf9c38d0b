/* SPDX-License-Identifier: MIT
 * Resampling: the tables of both axes from the filter, in 32 bits and with what border=shrink divides by worked into
 * the weights. */
#include <math.h>
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "image/border.h"

/* A line of `size` pixels repeats every `period` places. Returns the place that is equivalent to place `first` and nearest to the
 * pixels: bands must contain all rows between it and the pixels. */
static int32_t nearest_again(int64_t first, int64_t size, int64_t period) {
    const int64_t after = weft_border_modulo(first, period), before = after - period;
    return (int32_t)(after - size < -before ? after : before);
}

/* Moves a place far outside to a nearer one that stands for the same pixels and fits an int. */
static int32_t near_place(int64_t first, int64_t count, int64_t size, weft_border border) {
    if (first >= -count && first <= size)
        return (int32_t)first;
    if (border == WEFT_BORDER_WRAP)
        return (int32_t)weft_border_modulo(first, size);
    if (border == WEFT_BORDER_MIRROR)
        return size > 1 ? nearest_again(first, size, 2 * size - 2) : 0;
    if (border == WEFT_BORDER_SYMMETRIC)
        return nearest_again(first, size, 2 * size);
    return (int32_t)(first < 0 ? -count : size);
}

/* Output i: its place, its weights, and what border=constant must know of it. */
static void fill_output(const struct weft_axis *from, int64_t i, int64_t size, weft_border border,
                        struct gpu_axis *axis) {
    const float *weight = from->weight + (size_t)i * (size_t)from->count;
    double inside = 0, total = 0, magnitude = 0;
    for (int64_t k = 0; k < from->count; k++) {
        int64_t place = from->first[i] + k;
        total += (double)weight[k], magnitude += fabs((double)weight[k]);
        inside += place >= 0 && place < size ? (double)weight[k] : 0;
    }
    double factor = border == WEFT_BORDER_SHRINK ? 1 / weft_weight_inside(inside, magnitude) : 1;
    for (int64_t k = 0; k < from->count; k++)
        axis->weight[(size_t)i * (size_t)from->count + (size_t)k] = (float)((double)weight[k] * factor);
    axis->first[i] = near_place(from->first[i], from->count, size, border);
    axis->move = axis->move && from->count == 1 && weight[0] == 1.0f;
    axis->identity = axis->identity && axis->move && axis->first[i] == i;
    axis->ordered = axis->ordered && (i == 0 || axis->first[i] >= axis->first[i - 1]);
    if (axis->total)
        axis->total[i] = (float)total;
}

static weft_status convert_axis(const struct weft_axis *from, int64_t size, weft_border border, struct gpu_axis *axis,
                                weft_error *error) {
    size_t outputs = (size_t)from->size, weights = 0;
    *axis = (struct gpu_axis){.inputs = (int32_t)size,
                              .outputs = (int32_t)from->size,
                              .count = from->count,
                              .identity = from->size == size,
                              .move = from->exact,
                              .ordered = true};
    if (!weft_multiply(outputs, (size_t)from->count, &weights) || weights > INT32_MAX ||
        from->count > INT32_MAX / 4 - size)
        return weft_fail(
            error, WEFT_ERROR_UNSUPPORTED,
            "a resampling to %lld places with %d weights each is too large for a GPU, which takes %d weights",
            (long long)from->size, (int)from->count, INT32_MAX);
    axis->first = weft_allocate(outputs, sizeof *axis->first);
    axis->weight = weft_allocate(weights, sizeof *axis->weight);
    if (border == WEFT_BORDER_CONSTANT)
        axis->total = weft_allocate(outputs, sizeof *axis->total);
    if (!axis->first || !axis->weight || (border == WEFT_BORDER_CONSTANT && !axis->total))
        return weft_fail_memory(error, weights * sizeof *axis->weight, "the table of an axis");
    for (int64_t i = 0; i < from->size; i++)
        fill_output(from, i, size, border, axis);
    weft_gpu_find_period(axis, from->first);
    return WEFT_OK;
}

static weft_status make_axis(const struct gpu_node_context *context, enum weft_direction direction, struct gpu_axis *axis,
                             weft_error *error) {
    struct weft_axis from = {0};
    int64_t size = direction == WEFT_X ? context->in.width : context->in.height;
    weft_status status = context->filter->axis(context->block, direction, size, &from, error);
    if (status == WEFT_OK && from.size != (direction == WEFT_X ? context->out.width : context->out.height))
        status = weft_fail(error, WEFT_ERROR_INTERNAL, "the axes of a resampling make another size than it inferred");
    if (status == WEFT_OK)
        status = convert_axis(&from, size, weft_filter_border(context->filter, context->block), axis, error);
    weft_axis_clear(&from);
    return status;
}

weft_status weft_gpu_lower_resample(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_axis axes[2] = {{0}};
    weft_status status = make_axis(context, WEFT_X, &axes[WEFT_X], error);
    if (status == WEFT_OK)
        status = make_axis(context, WEFT_Y, &axes[WEFT_Y], error);
    if (status == WEFT_OK)
        status = weft_gpu_weigh(builder, context, axes, error);
    weft_gpu_axis_clear(&axes[WEFT_X]);
    weft_gpu_axis_clear(&axes[WEFT_Y]);
    return status;
}
