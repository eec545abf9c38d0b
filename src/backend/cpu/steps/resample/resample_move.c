/* SPDX-License-Identifier: MIT
 * Crops, flips and nearest pixels: a step that moves pixels along both axes at once and leaves their bits alone, so
 * rows of any type pass. */
#include <string.h>
#include "backend/cpu/steps/resample/resample.h"
#include "base/memory.h"
#include "base/status.h"

struct move {
    struct resample_table x, y;
    int32_t *place; /* of every output along x, inside; -1 for the border value */
    int slope;      /* of the places of outputs x.low .. x.high: 1 or -1, 0 for anything else */
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct move *move = step->data;
    (void)i;
    *first = *last = move->y.first[y];
}

static void rows_now(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct move *move = step->data;
    (void)i;
    *first = move->y.first[y], *last = *first + (move->y.count[y] > 0) - 1; /* where nothing is, nothing is read */
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct move *move = step->data;
    (void)i;
    weft_resample_hull(&move->x, x0, x1, first, end);
    if (*first < 0 || *end > move->x.inputs) /* wraps around */
        *first = 0, *end = move->x.inputs;
}

/* A row of one value. Loops that know an element's size are what compilers make vectors of. */
static void fill(void *row, size_t size, float value, int64_t count) {
    if (memcmp(&value, &(float){0}, sizeof value) == 0) {
        memset(row, 0, (size_t)count * size);
        return;
    }
    float *to = row;
    for (int64_t x = 0; x < count && size == sizeof value; x++)
        to[x] = value;
    for (int64_t x = 0; x < count && size != sizeof value; x++)
        memcpy((unsigned char *)row + (size_t)x * size, &value, size);
}

/* Outputs x0 .. x1 one by one; `outside` is the element that stands where no pixel is. */
static void move_some(const struct move *move, size_t size, const unsigned char *in, int64_t in_first, int64_t x0,
                      int64_t x1, const void *outside, unsigned char *out) {
    for (int64_t x = x0; x < x1; x++) {
        const void *from = move->place[x] < 0 ? outside : in + (size_t)(move->place[x] - in_first) * size;
        memcpy(out + (size_t)(x - x0) * size, from, size);
    }
}

/* Those between x.low and x.high. */
static void move_many(const struct lane *lane, const struct move *move, const struct step *step,
                      const unsigned char *in, int64_t in_first, int64_t x0, int64_t x1, unsigned char *out) {
    size_t size = weft_step_element(step);
    const unsigned char *from = in + (size_t)(move->place[x0] - in_first) * size;
    if (move->slope > 0)
        memcpy(out, from, (size_t)(x1 - x0) * size);
    else if (move->slope < 0)
        lane->kernels->move_reversed(from, (int)size, out, (int)(x1 - x0));
    else if (step->interleave > 1)
        move_some(move, size, in, in_first, x0, x1, NULL, out);
    else
        lane->kernels->move_indexed[step->type](in, move->place + x0, (int32_t)in_first, out, (int)(x1 - x0));
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct move *move = step->data;
    int32_t input = step->inputs[0];
    size_t size = weft_step_element(step);
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step), in_first = lane->first[input];
    int64_t low = move->x.low < x0 ? x0 : move->x.low > x1 ? x1 : move->x.low;
    int64_t high = move->x.high < low ? low : move->x.high > x1 ? x1 : move->x.high;
    float value = move->x.constant || move->y.constant ? weft_resample_border_value(lane, step) : 0;
    if (move->y.count[y] == 0) {
        for (int32_t k = 0; k < step->planes; k++)
            fill(out->plane[k], size, value, x1 - x0);
        return;
    }
    struct row in = weft_lane_fetch(lane, input, move->y.first[y]);
    for (int32_t k = 0; k < step->planes; k++) {
        unsigned char *to = out->plane[k];
        move_some(move, size, in.plane[k], in_first, x0, low, &value, to);
        if (low < high)
            move_many(lane, move, step, in.plane[k], in_first, low, high, to + (size_t)(low - x0) * size);
        move_some(move, size, in.plane[k], in_first, high, x1, &value, to + (size_t)(high - x0) * size);
    }
}

static void destroy(void *data) {
    struct move *move = data;
    weft_resample_clear(&move->x);
    weft_resample_clear(&move->y);
    weft_free(move->place);
    weft_free(move);
}

static const struct step_kind kind = {
    .name = "move", .rows = rows, .rows_now = rows_now, .columns = columns, .run = run, .destroy = destroy};

static int slope_of(const struct resample_table *x) {
    int64_t slope = x->high - x->low < 2 ? 1 : x->first[x->low + 1] - x->first[x->low];
    for (int64_t i = x->low; i < x->high; i++)
        if (x->first[i] - x->first[x->low] != slope * (i - x->low))
            return 0;
    return slope == 1 || slope == -1 ? (int)slope : 0;
}

weft_status weft_resample_move(struct builder *b, int32_t node, struct resample_table *x, struct resample_table *y,
                               int32_t *input, weft_error *error) {
    struct move *move = weft_allocate(1, sizeof *move);
    int32_t *place = weft_allocate((size_t)x->outputs, sizeof *place);
    if (!move || !place) {
        weft_fail_memory(error, (size_t)x->outputs * sizeof *place, "the places of a row");
        weft_resample_clear(x);
        weft_resample_clear(y);
        weft_free(move);
        weft_free(place);
        return WEFT_ERROR_MEMORY;
    }
    *move = (struct move){.x = *x, .y = *y, .place = place, .slope = slope_of(x)};
    *x = *y = (struct resample_table){0};
    for (int64_t i = 0; i < move->x.outputs; i++)
        place[i] = move->x.count[i] ? (int32_t)weft_border_modulo(move->x.first[i], move->x.inputs) : -1;
    struct step like = b->stage->steps[*input];
    return weft_stage_add(b,
                          &(struct step){.kind = &kind,
                                         .inputs = {*input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = move,
                                         .type = like.type,
                                         .planes = like.planes,
                                         .interleave = like.interleave,
                                         .width = move->x.outputs,
                                         .height = move->y.outputs,
                                         .late = true,
                                         .pad_node = -1},
                          input, error);
}
