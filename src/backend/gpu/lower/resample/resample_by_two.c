/* SPDX-License-Identifier: MIT
 * Both axes halved, or doubled, with the same weights for all outputs but those at the ends, or two sets of them alternately, as
 * resizing by 0.5 and by 2 does: the kernels `halve` and `doubling`. */
#include <string.h>
#include "backend/gpu/pass/builder.h"
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"

/* `weights` are those of `slots` that the kernel has variants for, so many each; a line has `most_values` at most; `occupancy` as
 * in struct gpu_pass, which some drivers do not say themselves. */
struct by_two {
    const char *kernel;
    bool down, eight_floats;
    int32_t weights, slots[4], threads, most_values, occupancy;
};
static const struct by_two halving = {"halve", true, true, 2, {1, 2, 4, 6}, HALVE_THREADS, 8 * HALVE_THREADS, 0};
static const struct by_two doubling = {"doubling", false, false, 1, {2, 4, 6}, DOUBLING_THREADS, 4 * (DOUBLING_QUADS - 4), 8};

/* The variant for the weights of both axes, or 0. */
static int32_t slots_of(const struct by_two *way, const struct gpu_axis *x, const struct gpu_axis *y) {
    for (size_t i = 0; i < sizeof way->slots / sizeof *way->slots; i++)
        if (x->count == way->weights * way->slots[i] && y->count == x->count)
            return way->slots[i];
    return 0;
}

/* Infinity times 0 is none. */
static bool has_zeros(const float *weight, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (weight[k] == 0)
            return true;
    return false;
}

/* The outputs along each axis that have the launch's weights, and these: halving those along x and those along y, doubling those
 * of even outputs and of odd ones, which must be the same along both axes. */
struct even {
    int32_t first[2], behind[2];
    const float *weight[2];
};
static bool find_even(const struct by_two *way, const struct gpu_axis *axes, int32_t slots, struct even *even) {
    int32_t count = axes[WEFT_X].count, sets = way->down ? 1 : 2;
    for (int i = 0; i < 2; i++) {
        even->weight[i] = weft_gpu_find_even(&axes[i], way->down, slots, &even->first[i], &even->behind[i]);
        if (!even->weight[i] || has_zeros(even->weight[i], sets * count))
            return false;
    }
    if (way->down)
        return true;
    bool same = memcmp(even->weight[WEFT_X], even->weight[WEFT_Y], 2 * (size_t)count * sizeof(float)) == 0;
    even->weight[WEFT_Y] = even->weight[WEFT_X] + count;
    return same;
}

static int32_t width_of(const struct by_two *way, const struct gpu_axis *x, const struct gpu_launch *launch) {
    int32_t channels = launch->in_channels, line = way->threads * weft_gpu_group(launch, way->eight_floats);
    line = line < way->most_values ? line : way->most_values;
    return weft_gpu_widest(x, channels, way->down ? line / channels : (channels == 1 ? 8 : 2) * way->threads, line);
}

int32_t weft_gpu_by_two_slots(const struct gpu_node_context *context, const struct gpu_axis *axes, bool down) {
    const struct by_two *way = down ? &halving : &doubling;
    int32_t slots = slots_of(way, &axes[WEFT_X], &axes[WEFT_Y]), channels = context->in.format.channels;
    struct even even;
    return slots > 0 && (channels == 1 || channels == 4) && weft_gpu_lies_inside(&axes[WEFT_X]) &&
                   weft_gpu_lies_inside(&axes[WEFT_Y]) && find_even(way, axes, slots, &even)
               ? slots
               : 0;
}

weft_status weft_gpu_add_by_two(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                bool down, weft_error *error) {
    const struct by_two *way = down ? &halving : &doubling;
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t slots = slots_of(way, x, y);
    struct even even;
    struct gpu_pass *pass;
    find_even(way, axes, slots, &even);
    weft_status status = weft_gpu_pass_add(builder, context, NULL, way->kernel, &slots, 1, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status != WEFT_OK)
        return status;
    struct gpu_launch *launch = &pass->launch;
    memcpy(launch->weight_x, even.weight[WEFT_X], (size_t)x->count * sizeof(float));
    memcpy(launch->weight_y, even.weight[WEFT_Y], (size_t)x->count * sizeof(float));
    launch->resample = (struct resample_launch){.made = width_of(way, x, launch),
                                                .count_x = x->count,
                                                .even_x = even.first[WEFT_X],
                                                .even_end_x = even.behind[WEFT_X],
                                                .even_y = even.first[WEFT_Y],
                                                .even_end_y = even.behind[WEFT_Y]};
    pass->tile_width = launch->resample.made, pass->tile_height = 1;
    pass->walks = true;
    pass->occupancy = way->occupancy;
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.first_y), y->first, (size_t)y->outputs * sizeof *y->first);
    y->first = NULL;
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.weights_y), y->weight,
                        (size_t)y->outputs * (size_t)y->count * sizeof *y->weight);
    y->weight = NULL;
    return weft_gpu_give_along(pass, x, error);
}
