/* SPDX-License-Identifier: MIT
 * Axes whose outputs are made of pixels inside the image and come in order, as those of all resizings do: kernels that walk
 * down make both axes in one launch, `resample_down` where every row of the result ends further down than the one before,
 * `resample_up` where several may end with the same. */
#include <string.h>
#include "backend/gpu/pass/builder.h"
#include "backend/gpu/lower/resample/weighted_sums.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"

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
        while (reached <= i && reached <= WALK_MOST_WEIGHTS && spans[SPAN * (i - reached) + DONE] >= spans[SPAN * i + FIRST])
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

/* Columns that have the same weights, and these. */
static void find_even(struct gpu_launch *launch, const struct gpu_axis *x, bool down, int32_t slots) {
    int32_t weights = down ? 2 * slots : slots;
    const float *weight = weft_gpu_find_even(x, down, slots, &launch->resample.even_x, &launch->resample.even_end_x);
    if (!weight)
        return;
    memcpy(launch->weight_x, weight, (size_t)weights * sizeof *weight);
    if (!down)
        memcpy(launch->weight_y, weight + weights, (size_t)weights * sizeof *weight);
}

/* Down: for each row of the input the weights by slots of the rows of the result that it reaches, and the row that it
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
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.rows), table, (size_t)rows * (size_t)words * sizeof *table);
    return WEFT_OK;
}

static weft_status add_walk(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes, bool down,
                            int32_t slots, int32_t **spans, weft_error *error) {
    struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, down ? "resample_down" : "resample_up", &slots, 1, &pass, error);
    if (status == WEFT_OK)
        status = weft_gpu_axis_need(pass, y, error);
    if (status == WEFT_OK)
        status = give_rows(pass, y, *spans, down, slots, error);
    if (status != WEFT_OK)
        return status;
    struct gpu_launch *launch = &pass->launch;
    int32_t channels = context->in.format.channels, line = RESAMPLE_THREADS * weft_gpu_group(launch, false);
    int32_t most = channels == 1 ? line : down ? 2 * RESAMPLE_THREADS : line / 4;
    find_even(launch, x, down, slots);
    launch->resample.made = weft_gpu_widest(x, channels, most, line);
    launch->resample.count_x = x->count;
    pass->tile_width = launch->resample.made, pass->tile_height = 1;
    pass->walks = true;
    weft_gpu_give_table(pass, LAUNCH_FIELD(resample.spans), *spans, SPAN * (size_t)y->outputs * sizeof **spans);
    *spans = NULL;
    return weft_gpu_give_along(pass, x, error);
}

weft_status weft_gpu_add_resample_walk(struct gpu_builder *builder, const struct gpu_node_context *context, struct gpu_axis *axes,
                                       bool down, int32_t slots, weft_error *error) {
    int32_t *spans = spans_of(&axes[WEFT_Y]);
    if (!spans)
        return weft_fail_memory(error, SPAN * (size_t)axes[WEFT_Y].outputs * sizeof *spans, "the rows of a resampling");
    weft_status status = add_walk(builder, context, axes, down, slots, &spans, error);
    weft_free(spans);
    return status;
}

weft_status weft_gpu_walk_slots(const struct gpu_node_context *context, const struct gpu_axis *axes, int32_t *down, int32_t *up,
                                weft_error *error) {
    static const int32_t variants[] = {2, 4, 6};
    const struct gpu_axis *x = &axes[WEFT_X], *y = &axes[WEFT_Y];
    *down = *up = 0;
    if (!weft_gpu_lies_inside(x) || !weft_gpu_lies_inside(y) ||
        weft_gpu_widest(x, context->in.format.channels, 4, 4 * RESAMPLE_THREADS) == 0)
        return WEFT_OK;
    int32_t *spans = spans_of(y), slots = 0;
    if (!spans)
        return weft_fail_memory(error, SPAN * (size_t)y->outputs * sizeof *spans, "the rows of a resampling");
    int32_t reached = most_reached(y, spans);
    bool reduces = reached <= variants[2];
    int32_t least = reduces ? reached : longest(y, spans);
    for (int32_t i = 2; i >= 0; i--)
        if (variants[i] >= least && (reduces || variants[i] == x->count))
            slots = variants[i];
    if (in_order(y, spans))
        *(reduces ? down : up) = slots;
    weft_free(spans);
    return WEFT_OK;
}
