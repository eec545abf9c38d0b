/* SPDX-License-Identifier: MIT
 * Axes whose outputs are made of pixels inside the image and come in order, as those of all resizings do: kernels that walk
 * down make both axes in one launch, `resample_down` where every row of the result ends further down than the one before,
 * `resample_up` where several may end with the same. */
#include <string.h>
#include "backend/gpu/plan.h"
#include "backend/gpu/weigh.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile.h"

#define MOST_WEIGHTS 128 /* of an output: the sums of more would need parts, and few columns would fit a line */

/* Three numbers for each output: the first and the last pixel that have a weight, and the row at which `resample_down` is done
 * with it: the last, or those below where outputs end together, as at the end of the image. */
enum { FIRST, LAST, DONE, SPAN };
static int32_t *spans_of(const struct gpu_axis *axis) {
    int32_t *spans = weft_allocate((size_t)axis->outputs, SPAN * sizeof *spans);
    for (int32_t i = 0; spans && i < axis->outputs; i++) {
        const float *weight = axis->weight + (size_t)i * (size_t)axis->count;
        int32_t begin = 0, end = axis->count - 1, *span = spans + SPAN * i;
        while (begin < end && weight[begin] == 0)
            begin++;
        while (end > begin && weight[end] == 0)
            end--;
        span[FIRST] = axis->first[i] + begin, span[LAST] = axis->first[i] + end;
        span[DONE] = i > 0 && span[DONE - SPAN] >= span[LAST] ? span[DONE - SPAN] + 1 : span[LAST];
    }
    return spans;
}

static bool lies_inside(const struct gpu_axis *axis) {
    bool inside = axis->ordered && axis->count <= MOST_WEIGHTS && axis->outputs > 0;
    return inside && axis->first[0] >= 0 && axis->first[axis->outputs - 1] + axis->count <= axis->inputs;
}

/* Whether spans begin and end in order. */
static bool in_order(const struct gpu_axis *axis, const int32_t *spans) {
    for (int32_t i = 1; i < axis->outputs; i++)
        if (spans[SPAN * i + FIRST] < spans[SPAN * (i - 1) + FIRST] || spans[SPAN * i + LAST] < spans[SPAN * (i - 1) + LAST])
            return false;
    return true;
}

/* How many outputs a pixel reaches. */
static int32_t most_reached(const struct gpu_axis *axis, const int32_t *spans) {
    int32_t most = 1;
    for (int32_t i = 1; i < axis->outputs; i++) {
        int32_t reached = 1;
        while (reached <= i && reached <= MOST_WEIGHTS && spans[SPAN * (i - reached) + DONE] >= spans[SPAN * i + FIRST])
            reached++;
        most = reached > most ? reached : most;
    }
    return most;
}

/* The most pixels from the first to the last one of an output. */
static int32_t longest(const struct gpu_axis *axis, const int32_t *spans) {
    int32_t most = 0;
    for (int32_t i = 0; i < axis->outputs; i++) {
        int32_t length = spans[SPAN * i + LAST] - spans[SPAN * i + FIRST] + 1;
        most = length > most ? length : most;
    }
    return most;
}

/* Columns of the result, a multiple of 4, whose numbers fit a line; 0 where not even 4 do. */
static int32_t widest(const struct gpu_axis *x, int32_t channels, int32_t most, int32_t line) {
    for (int32_t width = most; width >= 4; width -= 4) {
        bool fits = true;
        for (int32_t i = 0; fits && i < x->outputs; i += width) {
            int32_t last = x->outputs - i < width ? x->outputs - 1 : i + width - 1;
            int64_t from = ((int64_t)x->first[i] * channels) & ~(int64_t)7;
            fits = ((int64_t)x->first[last] + x->count) * channels - from <= line;
        }
        if (fits)
            return width;
    }
    return 0;
}

/* Whether output i is to input i what output `like` is to its own, `ahead` pixels before. */
static bool alike(const struct gpu_axis *axis, int32_t i, int32_t like, int32_t ahead) {
    size_t count = (size_t)axis->count;
    return axis->first[i] - axis->first[like] == ahead &&
           memcmp(axis->weight + (size_t)i * count, axis->weight + (size_t)like * count, count * sizeof(float)) == 0;
}

/* The outputs around the middle one that begin two pixels further on each, or one pixel every second, as where the image is
 * halved or doubled, and their weights. */
static void find_even(struct gpu_launch *launch, const struct gpu_axis *x, bool down, int32_t slots) {
    int32_t middle = x->outputs / 2 & ~1, from = middle, end = middle, weights = down ? 2 * slots : slots;
    const float *weight = x->weight + (size_t)middle * (size_t)x->count;
    launch->number[3] = launch->number[4] = 0;
    if (x->count != weights || middle < 2 || x->first[middle] != (down ? 2 * middle - slots + 1 : middle / 2 - slots / 2) ||
        (!down && x->first[middle + 1] != x->first[middle] + 1))
        return;
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
    launch->number[3] = from, launch->number[4] = end;
    memcpy(launch->weight_x, weight, (size_t)weights * sizeof *weight);
    if (!down)
        memcpy(launch->weight_y, weight + weights, (size_t)weights * sizeof *weight);
}

/* Numbers of a row that a thread has: GROUP of the kernels. */
static int32_t group_of(const struct gpu_launch *launch) {
    int32_t converts = weft_gpu_conversions(launch), shape = launch->load[0].shape;
    bool converted = (converts & CONVERTS_LOAD) != 0;
    int32_t type = converted ? shape >> 12 & 15 : launch->in_type, channels = converted ? shape & 15 : launch->in_channels;
    bool as_they_lie = (converted || launch->load_count == 0) && type != TYPE_NUMBERS && channels == launch->in_channels;
    return as_they_lie && type != TYPE_F32 ? 8 : 4;
}

/* Table 1: weights of all outputs' first pixel, then of their second and so on. */
static weft_status give_along(struct gpu_pass *pass, struct gpu_axis *x, weft_error *error) {
    size_t outputs = (size_t)x->outputs, count = (size_t)x->count;
    float *weight = weft_allocate(outputs * count, sizeof *weight);
    if (!weight)
        return weft_fail_memory(error, outputs * count * sizeof *weight, "the weights of a resampling");
    for (size_t i = 0; i < outputs; i++)
        for (size_t k = 0; k < count; k++)
            weight[k * outputs + i] = x->weight[i * count + k];
    pass->table[1].data = weight, pass->table[1].size = outputs * count * sizeof *weight;
    pass->table[0].data = x->first, pass->table[0].size = outputs * sizeof *x->first;
    x->first = NULL;
    pass->launch.number[2] = x->outputs;
    return WEFT_OK;
}

/* Table 2: down: for each row of the input the weights by slots of the rows of the result that it reaches, and the row that it
 * finishes; otherwise for each row of the result the weights by slots of the rows of the input, and the last one of these. */
static weft_status give_rows(struct gpu_pass *pass, const struct gpu_axis *y, const int32_t *spans, bool down, int32_t slots,
                             weft_error *error) {
    int32_t words = slots > 2 ? 8 : 4, rows = y->outputs;
    if (down)
        rows = spans[SPAN * (y->outputs - 1) + DONE] + 1;
    union {
        float weight;
        int32_t row;
    } *table = weft_allocate((size_t)rows * (size_t)words, sizeof *table);
    if (!table)
        return weft_fail_memory(error, (size_t)rows * (size_t)words * sizeof *table, "the weights of a resampling");
    for (int32_t i = 0; down && i < rows; i++)
        table[(size_t)i * (size_t)words + (size_t)slots].row = -1;
    for (int32_t i = 0; i < y->outputs; i++) {
        int32_t last = spans[SPAN * i + LAST], done = spans[SPAN * i + DONE];
        for (int32_t row = spans[SPAN * i + FIRST]; row <= last; row++) {
            size_t at = down ? (size_t)row * (size_t)words + (size_t)(i % slots)
                             : (size_t)i * (size_t)words + (size_t)(row % slots);
            table[at].weight = y->weight[(size_t)i * (size_t)y->count + (size_t)(row - y->first[i])];
        }
        size_t end = (size_t)(down ? done : i) * (size_t)words + (size_t)slots;
        table[end].row = down ? i : last;
        if (down)
            table[end + 1].row = i % slots;
    }
    pass->table[2].data = table, pass->table[2].size = (size_t)rows * (size_t)words * sizeof *table;
    return WEFT_OK;
}

static weft_status add_walk(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_axis *axes, bool down,
                            int32_t slots, int32_t **spans, struct gpu_pass **pass, weft_error *error) {
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    weft_status status = weft_gpu_pass_add(builder, site, NULL, down ? "resample_down" : "resample_up", &slots, 1, pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(*pass, y, error);
    if (status == WEFT_OK)
        status = give_rows(*pass, y, *spans, down, slots, error);
    if (status != WEFT_OK)
        return status;
    struct gpu_launch *launch = &(*pass)->launch;
    int32_t channels = site->in.format.channels, line = 256 * group_of(launch), most = channels == 1 ? line : line / 4;
    find_even(launch, x, down, slots);
    launch->number[0] = widest(x, channels, down && channels > 1 ? RESAMPLE_LINE / 4 : most, line);
    launch->number[1] = x->count;
    (*pass)->tile_width = launch->number[0], (*pass)->tile_height = 1;
    (*pass)->walks = true;
    (*pass)->table[3].data = *spans, (*pass)->table[3].size = SPAN * (size_t)y->outputs * sizeof **spans;
    *spans = NULL;
    return give_along(*pass, x, error);
}

weft_status weft_gpu_resample_walk(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_axis *axes,
                                   struct gpu_pass **pass, weft_error *error) {
    static const int32_t variants[] = {2, 4, 6};
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    if (!lies_inside(x) || !lies_inside(y) || widest(x, site->in.format.channels, 4, RESAMPLE_LINE / 2) == 0)
        return WEFT_OK;
    int32_t *spans = spans_of(y), slots = 0;
    if (!spans)
        return weft_fail_memory(error, SPAN * (size_t)y->outputs * sizeof *spans, "the rows of a resampling");
    bool down = most_reached(y, spans) <= variants[2];
    int32_t least = down ? most_reached(y, spans) : longest(y, spans);
    for (int32_t i = 2; i >= 0; i--)
        if (variants[i] >= least && (down || variants[i] == x->count))
            slots = variants[i];
    weft_status status = WEFT_OK;
    if (slots > 0 && in_order(y, spans))
        status = add_walk(builder, site, axes, down, slots, &spans, pass, error);
    weft_free(spans);
    return status;
}
