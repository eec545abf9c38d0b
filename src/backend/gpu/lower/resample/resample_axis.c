/* SPDX-License-Identifier: MIT
 * What kernels that walk down and sum along rows in shared memory (kernels/gpu/tile/shared_row.h) know of the axis along rows. */
#include <string.h>
#include "backend/gpu/pass/builder.h"
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"

void weft_gpu_axis_clear(struct gpu_axis *axis) {
    weft_free(axis->first);
    weft_free(axis->weight);
    weft_free(axis->total);
    axis->first = NULL, axis->weight = NULL, axis->total = NULL;
}

weft_status weft_gpu_axis_need(struct gpu_pass *pass, const struct gpu_axis *y, weft_error *error) {
    pass->need = GPU_NEED_TABLE;
    pass->row_count = y->count;
    pass->first_row = weft_allocate((size_t)y->outputs, sizeof *pass->first_row);
    if (!pass->first_row)
        return weft_fail_memory(error, (size_t)y->outputs * sizeof *pass->first_row, "the rows of a resampling");
    for (int32_t i = 0; i < y->outputs; i++)
        pass->first_row[i] = y->first[i];
    return WEFT_OK;
}

bool weft_gpu_lies_inside(const struct gpu_axis *axis) {
    bool inside = axis->ordered && axis->count <= WALK_MOST_WEIGHTS && axis->outputs > 0;
    return inside && axis->first[0] >= 0 && axis->first[axis->outputs - 1] + axis->count <= axis->inputs;
}

/* Whether the numbers that each `width` columns of the result need fit a line of so many. */
static bool fits(const struct gpu_axis *x, int32_t channels, int32_t width, int32_t line) {
    for (int32_t i = 0; i < x->outputs; i += width) {
        int32_t last = x->outputs - i < width ? x->outputs - 1 : i + width - 1;
        int64_t from = ((int64_t)x->first[i] * channels) & ~(int64_t)7;
        if (((int64_t)x->first[last] + x->count) * channels - from > line)
            return false;
        if (last == x->outputs - 1)
            break;
    }
    return true;
}

int32_t weft_gpu_widest(const struct gpu_axis *x, int32_t channels, int32_t most, int32_t line) {
    int32_t width = most & ~3;
    while (width >= 4 && !fits(x, channels, width, line))
        width -= 4;
    if (width < 4)
        return 0;
    /* As many blocks, but none that is much narrower than the others. */
    int32_t blocks = (x->outputs - 1) / width + 1, even = ((x->outputs - 1) / blocks / 4 + 1) * 4;
    return even < width && fits(x, channels, even, line) ? even : width;
}

/* Whether output i is to input i what output `like` is to its own, `ahead` pixels before. */
static bool alike(const struct gpu_axis *axis, int32_t i, int32_t like, int32_t ahead) {
    size_t count = (size_t)axis->count;
    return axis->first[i] - axis->first[like] == ahead &&
           memcmp(axis->weight + (size_t)i * count, axis->weight + (size_t)like * count, count * sizeof(float)) == 0;
}

const float *weft_gpu_find_even(const struct gpu_axis *x, bool down, int32_t slots, int32_t *first, int32_t *behind) {
    int32_t middle = x->outputs / 2 & ~1, from = middle, end = middle, weights = down ? 2 * slots : slots;
    *first = *behind = 0;
    if (x->count != weights || middle < 2 || x->first[middle] != (down ? 2 * middle - slots + 1 : middle / 2 - slots / 2) ||
        (!down && x->first[middle + 1] != x->first[middle] + 1))
        return NULL;
    for (; from > 0; from--) {
        int32_t i = from - 1, like = down ? middle : middle + (i & 1);
        if (!alike(x, i, like, down ? 2 * (i - like) : (i - like) / 2))
            break;
    }
    for (; end < x->outputs; end++) {
        int32_t like = down ? middle : middle + (end & 1);
        if (!alike(x, end, like, down ? 2 * (end - like) : (end - like) / 2))
            break;
    }
    *first = from, *behind = end;
    return x->weight + (size_t)middle * (size_t)x->count;
}

int32_t weft_gpu_group(const struct gpu_launch *launch, bool eight_floats) {
    int32_t converts = weft_gpu_conversions(launch), shape = launch->load[0].shape;
    bool converted = (converts & CONVERTS_LOAD) != 0;
    int32_t type = converted ? shape >> 12 & 15 : launch->in_type, channels = converted ? shape & 15 : launch->in_channels;
    bool as_they_lie = (converted || launch->load_count == 0) && type != TYPE_VALUES && channels == launch->in_channels;
    return as_they_lie && (type != TYPE_F32 || eight_floats) ? 8 : 4;
}

weft_status weft_gpu_give_along(struct gpu_pass *pass, struct gpu_axis *x, weft_error *error) {
    size_t outputs = (size_t)x->outputs, count = (size_t)x->count;
    float *weight = weft_allocate(outputs * count, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, outputs * count * sizeof *weight, "the weights of a resampling");
    for (size_t i = 0; i < outputs; i++)
        for (size_t k = 0; k < count; k++)
            weight[k * outputs + i] = x->weight[i * count + k];
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.weights_x), weight, outputs * count * sizeof *weight);
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.first_x), x->first, outputs * sizeof *x->first);
    x->first = NULL;
    pass->launch.resample.columns = x->outputs;
    return WEFT_OK;
}
