/* SPDX-License-Identifier: MIT
 * Axes that are reduced or enlarged by whole numbers: each axis's tables show whether they are, and kernels that know
 * it need few weights and make both axes in one launch. */
#include <string.h>
#include "backend/gpu/lower/resample/weigh.h"
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

/* A variant has weights of 0 behind an axis's own; where they are many, the general way takes less. None is 0. */
static bool fills(int32_t count, int32_t variant) { return variant > 0 && 3 * count > 2 * variant; }

static bool enlarges(const struct gpu_axis *axis) {
    return axis->period >= 2 && axis->period <= INTERPOLATE_STEPS && axis->advance == 1 &&
           axis->outputs >= 2 * axis->period;
}

weft_status weft_gpu_give_places(struct gpu_pass *pass, int32_t i, const struct gpu_axis *axis, int32_t taps,
                                 weft_error *error) {
    size_t size = (size_t)axis->period * (size_t)taps;
    float *weight = weft_allocate(size, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, size * sizeof *weight, "the weights of a period");
    for (int32_t place = 0; place < axis->period; place++) {
        int32_t output = (place - axis->shift + axis->period) % axis->period;
        memcpy(weight + place * taps, axis->weight + output * axis->count, (size_t)axis->count * sizeof *weight);
    }
    pass->table[i].data = weight, pass->table[i].size = size * sizeof *weight;
    return WEFT_OK;
}

/* The kernel `interpolate`, of the fewest weights that do; *pass stays NULL when none does. */
static weft_status add_interpolation(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                     struct gpu_pass **pass, weft_error *error) {
    static const int32_t taps_of_variants[] = {9};
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t count = x->count > y->count ? x->count : y->count, taps = 0, channels = context->in.format.channels;
    int32_t planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    for (size_t i = sizeof taps_of_variants / sizeof *taps_of_variants; i-- > 0 && taps_of_variants[i] >= count;)
        taps = taps_of_variants[i];
    if (!fills(count, taps))
        return WEFT_OK;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, "interpolate", (const int32_t[]){taps, planes}, 2, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(*pass, y, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(*pass, 0, x, taps, error);
    if (status == WEFT_OK)
        status = weft_gpu_give_places(*pass, 1, y, taps, error);
    if (status != WEFT_OK)
        return status;
    (*pass)->tile_width = planes == 1 ? 1024 : 256;
    (*pass)->tile_height = y->period;
    (*pass)->walks = true;
    for (int32_t i = 0; i < 2; i++) {
        (*pass)->launch.number[i] = axes[i].period;
        (*pass)->launch.number[2 + i] = axes[i].shift;
        (*pass)->launch.number[4 + i] = axes[i].start;
    }
    (*pass)->launch.number[6] = y->count;
    return WEFT_OK;
}

static bool reduces(const struct gpu_axis *axis) {
    return axis->period == 1 && axis->advance >= 2 && axis->advance <= DECIMATE_STEPS;
}

/* Outputs that a pixel of the input reaches. */
static int32_t reached(const struct gpu_axis *axis) { return (axis->count + axis->advance - 1) / axis->advance; }

/* Table 0: the weights of the pixels k, step + k, .. of an output, for each k. */
static weft_status give_steps(struct gpu_pass *pass, const struct gpu_axis *axis, int32_t active, weft_error *error) {
    size_t pitch = 4 * (size_t)DECIMATE_QUADS(active), size = (size_t)axis->advance * pitch;
    float *weight = weft_allocate(size, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, size * sizeof *weight, "the weights of a step");
    for (int32_t i = 0; i < axis->count; i++)
        weight[(size_t)(i % axis->advance) * pitch + (size_t)(i / axis->advance)] = axis->weight[i];
    pass->table[0].data = weight, pass->table[0].size = size * sizeof *weight;
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

/* The kernel `decimate`, of the fewest sums that do; *pass stays NULL when none does. */
static weft_status add_decimation(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                  struct gpu_pass **pass, weft_error *error) {
    static const int32_t active_of_variants[] = {9, 10};
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t sums = reached(x) > reached(y) ? reached(x) : reached(y), active = 0, channels = context->in.format.channels;
    int32_t planes = channels == 1 ? 1 : channels == 4 ? 4 : 3, threads = DECIMATE_THREADS;
    for (size_t i = sizeof active_of_variants / sizeof *active_of_variants; i-- > 0 && active_of_variants[i] >= sums;)
        active = active_of_variants[i];
    if (!fills(sums, active))
        return WEFT_OK;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, "decimate", (const int32_t[]){active, planes}, 2, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(*pass, y, error);
    if (status == WEFT_OK)
        status = give_steps(*pass, x, active, error);
    if (status != WEFT_OK)
        return status;
    give_down(&(*pass)->launch, y, active);
    (*pass)->tile_width = DECIMATE_MADE(planes, x->advance, active);
    (*pass)->tile_height = 1;
    (*pass)->walks = true;
    while (threads / 2 >= (*pass)->tile_width && DECIMATE_THREADS / threads < x->advance)
        threads /= 2;
    for (int32_t i = 0; i < 2; i++) {
        (*pass)->launch.number[i] = axes[i].advance;
        (*pass)->launch.number[2 + i] = axes[i].start;
    }
    (*pass)->launch.number[4] = (*pass)->tile_width;
    (*pass)->launch.number[5] = DECIMATE_THREADS / threads;
    (*pass)->launch.number[6] = y->count;
    return WEFT_OK;
}

weft_status weft_gpu_multirate(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                               struct gpu_pass **pass, weft_error *error) {
    weft_status status = WEFT_OK;
    if (enlarges(&axes[WEFT_X]) && enlarges(&axes[WEFT_Y])) {
        status = weft_gpu_interpolate_bytes(builder, context, axes, pass, error);
        return status == WEFT_OK && !*pass ? add_interpolation(builder, context, axes, pass, error) : status;
    }
    if (reduces(&axes[WEFT_X]) && reduces(&axes[WEFT_Y])) {
        status = weft_gpu_decimate_bytes(builder, context, axes, pass, error);
        return status == WEFT_OK && !*pass ? add_decimation(builder, context, axes, pass, error) : status;
    }
    return status;
}
