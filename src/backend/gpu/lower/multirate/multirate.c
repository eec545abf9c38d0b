/* SPDX-License-Identifier: MIT
 * Axes that are reduced or enlarged by whole numbers: each axis's tables show whether they are, and kernels that know
 * it need few weights and make both axes in one launch. */
#include <string.h>
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"

#define FARTHEST (1 << 30) /* where an output may begin */

static bool is_periodic(const struct gpu_axis *axis, const int64_t *first) {
    size_t count = (size_t)axis->count, period = (size_t)axis->period;
    for (int64_t i = 0; i < axis->outputs; i++)
        if (first[i] != axis->start + (axis->shift + i) / axis->period * (int64_t)axis->advance)
            return false;
    return memcmp(axis->weight, axis->weight + period * count,
                  ((size_t)axis->outputs - period) * count * sizeof *axis->weight) == 0;
}

void weft_gpu_find_period(struct gpu_axis *axis, const int64_t *first) {
    int32_t last = axis->outputs - 1, head = 1, period = 1;
    if (last < 1 || first[0] <= -FARTHEST || first[last] >= FARTHEST)
        return;
    while (head <= last && first[head] == first[0])
        head++;
    while (head + period <= last && first[head + period] == first[head])
        period++;
    /* `head` outputs begin with the first one, then each `period` together. */
    axis->period = head > period ? head : period;
    axis->shift = axis->period - head;
    axis->start = (int32_t)first[0];
    axis->advance = head <= last ? (int32_t)(first[head] - first[0]) : 0;
    if (axis->period > last || !is_periodic(axis, first))
        axis->period = 0;
}

weft_status weft_gpu_give_places(struct gpu_pass *pass, size_t field, const struct gpu_axis *axis, int32_t taps,
                                 weft_error *error) {
    size_t size = (size_t)axis->period * (size_t)taps;
    float *weight = weft_allocate(size, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, size * sizeof *weight, "the weights of a period");
    for (int32_t place = 0; place < axis->period; place++) {
        int32_t output = (place - axis->shift + axis->period) % axis->period;
        memcpy(weight + place * taps, axis->weight + output * axis->count, (size_t)axis->count * sizeof *weight);
    }
    weft_gpu_give_table(pass, field, weight, size * sizeof *weight);
    return WEFT_OK;
}

void weft_gpu_give_periods(struct gpu_pass *pass, const struct gpu_axis *axes) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    struct multirate_launch *own = &pass->launch.multirate;
    own->steps_x = x->period, own->steps_y = y->period;
    own->phase_x = x->shift, own->phase_y = y->shift;
    own->start_x = x->start, own->start_y = y->start;
    own->rows = y->count;
    pass->tile_height = axes[WEFT_Y].period;
    pass->walks = true;
}

static weft_status add_interpolation(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                     int32_t taps, weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, "interpolate", (const int32_t[]){taps, planes}, 2, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(pass, LAUNCH_FIELD(multirate.weights_x), x, taps, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(pass, LAUNCH_FIELD(multirate.weights_y), y, taps, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = planes == 1 ? 1024 : 256;
    weft_gpu_give_periods(pass, axes);
    return WEFT_OK;
}

/* The weights of the pixels k, step + k, .. of an output, for each k. */
static weft_status give_steps(struct gpu_pass *pass, const struct gpu_axis *axis, int32_t active, weft_error *error) {
    size_t pitch = 4 * (size_t)DECIMATE_QUADS(active), size = (size_t)axis->advance * pitch;
    float *weight = weft_allocate(size, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, size * sizeof *weight, "the weights of a step");
    for (int32_t i = 0; i < axis->count; i++)
        weight[(size_t)(i % axis->advance) * pitch + (size_t)(i / axis->advance)] = axis->weight[i];
    weft_gpu_give_table(pass, LAUNCH_FIELD(multirate.weights_x), weight, size * sizeof *weight);
    return WEFT_OK;
}

/* For each row of a step the weights of the outputs that it reaches, the first one first. */
_Static_assert(DECIMATE_STEPS * 10 <= 2 * LAUNCH_WEIGHTS, "the weights of the largest reduction must fit a launch");
static void give_down(struct gpu_launch *launch, const struct gpu_axis *axis, int32_t active) {
    for (int32_t i = 0; i < axis->count; i++) {
        int32_t at = i % axis->advance * active + active - 1 - i / axis->advance;
        *(at < LAUNCH_WEIGHTS ? &launch->weight_x[at] : &launch->weight_y[at - LAUNCH_WEIGHTS]) = axis->weight[i];
    }
}

static weft_status add_decimation(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                  int32_t active, weft_error *error) {
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    int32_t threads = DECIMATE_THREADS;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, "decimate", (const int32_t[]){active, planes}, 2, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status == WEFT_OK)
        status = give_steps(pass, x, active, error);
    if (status != WEFT_OK)
        return status;
    give_down(&pass->launch, y, active);
    pass->tile_width = DECIMATE_MADE(planes, x->advance, active);
    pass->tile_height = 1;
    pass->walks = true;
    while (threads / 2 >= pass->tile_width && DECIMATE_THREADS / threads < x->advance)
        threads /= 2;
    struct multirate_launch *own = &pass->launch.multirate;
    own->steps_x = x->advance, own->steps_y = y->advance;
    own->start_x = x->start, own->start_y = y->start;
    own->rows = y->count;
    own->made = pass->tile_width;
    own->sharers = DECIMATE_THREADS / threads;
    return WEFT_OK;
}

static struct gpu_multirate_axis axis_of(const struct gpu_axis *axis) {
    return (struct gpu_multirate_axis){axis->period, axis->advance, axis->count, axis->outputs};
}

weft_status weft_gpu_multirate_facts(const struct gpu_builder *builder, const struct gpu_node_context *context,
                                     const struct gpu_axis *axes, struct gpu_multirate_case *multirate, weft_error *error) {
    *multirate = (struct gpu_multirate_case){.x = axis_of(&axes[WEFT_X]), .y = axis_of(&axes[WEFT_Y])};
    if (weft_gpu_enlarges(multirate))
        multirate->bytes = weft_gpu_interpolates_bytes(builder, context, axes);
    return weft_gpu_reduces(multirate) ? weft_gpu_decimates_bytes(builder, context, axes, &multirate->bytes, error) : WEFT_OK;
}

weft_status weft_gpu_add_multirate(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                   const struct gpu_multirate_case *multirate, weft_error *error) {
    const struct weft_rung *rung = weft_gpu_choose_multirate(multirate);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_multirate_kernel)rung->choice) {
    case GPU_MULTIRATE_INTERPOLATE_BYTES:
        return weft_gpu_add_interpolate_bytes(builder, context, axes, error);
    case GPU_MULTIRATE_INTERPOLATE:
        return add_interpolation(builder, context, axes, weft_gpu_interpolate_form(multirate), error);
    case GPU_MULTIRATE_DECIMATE_BYTES:
        return weft_gpu_add_decimate_bytes(builder, context, axes, error);
    case GPU_MULTIRATE_DECIMATE:
        return add_decimation(builder, context, axes, weft_gpu_decimate_form(multirate), error);
    case GPU_MULTIRATE_NONE:
        break;
    }
    return weft_fail(error, WEFT_ERROR_INTERNAL, "no kernel resamples by these whole numbers");
}
