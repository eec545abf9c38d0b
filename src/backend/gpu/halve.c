/* SPDX-License-Identifier: MIT
 * Both axes halved with the same weights for all outputs but those at the ends, as resizing by a half does: the kernel `halve`. */
#include <string.h>
#include "backend/gpu/plan.h"
#include "backend/gpu/weigh.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile.h"

/* Half the weights of both axes where the kernel has a variant for so many, or 0. */
static int32_t slots_of(const struct gpu_axis *x, const struct gpu_axis *y) {
    static const int32_t variants[] = {1, 2, 4, 6};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (x->count == 2 * variants[i] && y->count == x->count)
            return variants[i];
    return 0;
}

/* Infinity times 0 is none. */
static bool has_zeros(const float *weight, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (weight[k] == 0)
            return true;
    return false;
}

weft_status weft_gpu_halve(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_axis *axes,
                           struct gpu_pass **pass, weft_error *error) {
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    int32_t slots = slots_of(x, y), channels = site->in.format.channels, columns[2], rows[2];
    if (slots == 0 || (channels != 1 && channels != 4) || !weft_gpu_lies_inside(x) || !weft_gpu_lies_inside(y))
        return WEFT_OK;
    const float *along = weft_gpu_find_even(x, true, slots, &columns[0], &columns[1]);
    const float *down = weft_gpu_find_even(y, true, slots, &rows[0], &rows[1]);
    if (!along || !down || has_zeros(along, x->count) || has_zeros(down, y->count))
        return WEFT_OK;
    weft_status status = weft_gpu_pass_add(builder, site, NULL, "halve", &slots, 1, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(*pass, y, error);
    if (status != WEFT_OK)
        return status;
    struct gpu_launch *launch = &(*pass)->launch;
    int32_t line = HALVE_THREADS * weft_gpu_group(launch, true);
    memcpy(launch->weight_x, along, (size_t)x->count * sizeof *along);
    memcpy(launch->weight_y, down, (size_t)y->count * sizeof *down);
    launch->number[0] = weft_gpu_widest(x, channels, line / channels, line);
    launch->number[1] = x->count;
    launch->number[3] = columns[0], launch->number[4] = columns[1];
    launch->number[5] = rows[0], launch->number[6] = rows[1];
    (*pass)->tile_width = launch->number[0], (*pass)->tile_height = 1;
    (*pass)->walks = true;
    (*pass)->table[2].data = y->first, (*pass)->table[2].size = (size_t)y->outputs * sizeof *y->first;
    y->first = NULL;
    (*pass)->table[3].data = y->weight, (*pass)->table[3].size = (size_t)y->outputs * (size_t)y->count * sizeof *y->weight;
    y->weight = NULL;
    return weft_gpu_give_along(*pass, x, error);
}
