/* SPDX-License-Identifier: MIT
 * Separable convolution in one step: the columns of a row first, from the ring of input rows into a row with pads, then
 * along that row. So only one row is ever padded, and the input's ring is all the memory that it takes.
 *
 * Rows of u16 are summed as they are, up to a radius, unless pixels outside are a constant or do not count.
 *
 * border=shrink: outside counts as 0, and the result is divided by the weight inside, which separates too: a factor per
 * column, made with the plan, and one per row. */
#include <string.h>
#include "backend/cpu/choose/convolve.h"
#include "backend/cpu/steps/convolve/axis_weights.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

struct separable {
    struct axis_weights x, y;
    weft_border border;
    float *inside;  /* shrink: per column, 1 / the weight inside */
    int32_t shared; /* rows whose columns are summed at a time: SHARED or 1 */
    bool u16_rows;  /* the input's rows are of u16 */
};

/* As many fit into one set of a first-level cache. */
#define FEW_ROWS 4
/* Columns of SHARED rows are summed at a time. */
#define SHARED 4

static void rows_now(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct separable *s = step->data;
    (void)i;
    weft_rows_around(y, s->y.radius, step->height, s->border, first, last);
}
static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct separable *s = step->data;
    int64_t unused, ahead = y + s->shared - 1 < step->height ? y + SHARED - 1 : step->height - 1;
    (void)i;
    weft_rows_around(y, s->y.radius, step->height, s->border, first, last);
    if (s->shared > 1)
        weft_rows_around(ahead, s->y.radius, step->height, s->border, &unused, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct separable *s = step->data;
    (void)i;
    weft_columns_around(x0, x1, s->x.radius, step->width, s->border, first, end);
}

/* What a lane remembers: which rows have their columns summed. */
struct summed {
    bool valid;
    int64_t asked;        /* the row that was made last */
    int64_t first, count; /* summed: rows first .. first + count - 1, the row `first` in slot 0 */
    int64_t column, end;  /* their columns, which come piece by piece where the row does; `column` begins the slots */
};

/* The pieces of a lane's memory: pointers to rows, a row outside, and slots of the rows between the two directions with
 * their pads, `shared` of each plane. Without memory only their size. */
struct pieces {
    struct summed *summed;
    const float **pointers;
    struct row *fetched;
    float *outside, *slots;
    size_t slot; /* floats from one to the next */
    int64_t pad;
};
static size_t lay_out(const struct step *step, int64_t in_columns, unsigned char *memory, struct pieces *p) {
    const struct separable *s = step->data;
    size_t taps = 2 * (size_t)s->y.radius + SHARED, fetched = weft_round_up(sizeof *p->summed);
    p->pad = ((int64_t)s->x.radius + 15) / 16 * 16;
    p->slot = weft_round_up((size_t)(in_columns + 2 * p->pad) * sizeof(float)) / sizeof(float);
    size_t pointers = fetched + weft_round_up(taps * sizeof *p->fetched);
    size_t outside = pointers + weft_round_up(taps * sizeof *p->pointers);
    size_t slots = outside + weft_round_up((size_t)in_columns * sizeof(float));
    if (memory) {
        p->summed = (struct summed *)(void *)memory;
        p->fetched = (struct row *)(void *)(memory + fetched);
        p->pointers = (const float **)(void *)(memory + pointers);
        p->outside = (float *)(void *)(memory + outside);
        p->slots = (float *)(void *)(memory + slots);
    }
    return slots + p->slot * sizeof(float) * (size_t)step->planes * s->shared;
}
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    struct pieces unused;
    (void)columns_;
    return lay_out(step, in_columns, NULL, &unused);
}

static void filter_row(const struct lane *lane, const struct axis_weights *w, const float *in, float *out, int count) {
    if (w->radius == 0 && w->weights[0] == 1.0f)
        memcpy(out, in, (size_t)count * sizeof(float));
    else if (w->halved)
        lane->kernels->convolve_row_symmetric(in, w->weights, w->radius, out, count);
    else
        lane->kernels->convolve_row(in, w->weights, w->radius, out, count);
}

/* Sums the columns of the rows in the slots, of columns [first, first + columns_), each plane to its slots. */
static void sum_columns(struct lane *lane, const struct step *step, int64_t first, int columns_,
                        const struct pieces *p) {
    const struct separable *s = step->data;
    int64_t y = p->summed->first, count = p->summed->count;
    int32_t input = step->inputs[0], taps = 2 * s->y.radius + 1, wanted = taps + (int32_t)count - 1;
    weft_lane_fetch_rows(lane, input, y - s->y.radius, wanted, s->border, p->fetched);
    if (weft_lane_stops(lane, 0)) /* a row takes long, and many joined filters each have one to make */
        return;
    for (int32_t plane = 0; plane < step->planes; plane++) {
        float *slot = p->slots + (size_t)plane * s->shared * p->slot + p->pad + (first - p->summed->column);
        float *const slots[SHARED] = {slot, slot + p->slot, slot + 2 * p->slot, slot + 3 * p->slot};
        if (s->u16_rows) {
            const uint16_t *in_u16[2 * CPU_CONVOLVE_U16_RADIUS + SHARED];
            for (int32_t k = 0; k < taps + SHARED - 1; k++) {
                const struct row *row = &p->fetched[k < wanted ? k : wanted - 1];
                in_u16[k] = (const uint16_t *)row->plane[plane] + (first - lane->first[input]);
            }
            lane->kernels->weigh_four_u16(in_u16, s->y.weights, taps, slots, columns_);
            continue;
        }
        for (int32_t k = 0; k < wanted; k++)
            p->pointers[k] =
                p->fetched[k].plane[0] ? weft_row_at(lane, input, &p->fetched[k], plane, first) : p->outside;
        for (int32_t k = wanted; count > 1 && k < taps + SHARED - 1; k++) /* slots that are not used */
            p->pointers[k] = p->pointers[wanted - 1];
        if (count > 1)
            lane->kernels->weigh_four_rows(p->pointers, s->y.weights, taps, slots, columns_);
        else if (taps == 1 && s->y.weights[0] == 1.0f)
            memcpy(slot, p->pointers[0], (size_t)columns_ * sizeof(float));
        else
            lane->kernels->weigh_rows(p->pointers, s->y.weights, taps, slot, columns_);
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct separable *s = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step), in_first, in_end;
    struct pieces p = {.summed = NULL};
    lay_out(step, lane->stage->steps[step->inputs[0]].max_columns, weft_lane_state(lane, step), &p);
    weft_columns_around(first, end, s->x.radius, step->width, s->border, &in_first, &in_end);
    int count = (int)(in_end - in_first);
    bool shrink = s->border == WEFT_BORDER_SHRINK, constant = s->border == WEFT_BORDER_CONSTANT;
    float value = 0, sum = 0;
    if (constant)
        value = weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, weft_lane_block(lane, step));
    if (shrink || constant)
        for (int i = 0; i < count; i++)
            p.outside[i] = value;
    /* Left and right of the image lies what the columns make of the border there: for a constant, the sum of its products. */
    for (int32_t k = 0; constant && k <= 2 * s->y.radius; k++)
        sum += (float)s->y.full[k] * value;
    struct summed *summed = p.summed;
    if (!summed->valid || y < summed->first || y >= summed->first + summed->count) {
        /* Rows that are asked for in another order are not the next ones. */
        bool on = s->shared > 1 && y + 1 < step->height && (!summed->valid || y == summed->asked + 1);
        int64_t shared = !on ? 1 : step->height - y < SHARED ? step->height - y : SHARED;
        *summed = (struct summed){true, y, y, shared, in_first, in_first};
    }
    if (y == summed->first && summed->end < in_end) {
        sum_columns(lane, step, summed->end, (int)(in_end - summed->end), &p);
        summed->end = in_end;
    }
    summed->asked = y;
    if (weft_lane_stops(lane, 0))
        return;
    for (int32_t k = 0; k < step->planes; k++) {
        float *middle = p.slots + ((size_t)k * s->shared + (size_t)(y - summed->first)) * p.slot + p.pad +
                        (in_first - summed->column);
        weft_pad_row(WEFT_ROW_F32, middle, 1, count, s->x.radius, shrink ? WEFT_BORDER_CONSTANT : s->border, sum,
                     in_first == 0, in_end == step->width);
        filter_row(lane, &s->x, middle + (first - in_first), out->plane[k], (int)(end - first));
        if (shrink) {
            float *result = out->plane[k], factor = weft_inside_weight(&s->y, y, step->height);
            for (int64_t x = 0; x < end - first; x++)
                result[x] *= factor * s->inside[first + x];
        }
    }
}

static void destroy(void *data) {
    struct separable *s = data;
    if (!s)
        return;
    weft_axis_weights_clear(&s->x);
    weft_axis_weights_clear(&s->y);
    weft_free(s->inside);
    weft_free(s);
}
static const struct step_kind separable = {.name = "separable",
                                           .rows = rows,
                                           .rows_now = rows_now,
                                           .columns = columns,
                                           .state_size = state_size,
                                           .run = run,
                                           .destroy = destroy};

weft_status weft_separable_takes_u16(const struct weft_graph_node *node, weft_format format, bool *takes,
                                     weft_error *error) {
    struct cpu_convolve_case facts = {
        .type = format.type, .channels = format.channels, .border = weft_filter_border(node->filter, node->block), .radius_y = 1};
    struct weft_taps taps = {0};
    *takes = false;
    if (weft_cpu_choose_convolve(&facts)->choice != CPU_CONVOLVE_U16) /* whatever its weights are */
        return WEFT_OK;
    weft_status status = node->filter->taps(node->block, WEFT_Y, false, &taps, error);
    facts.radius_y = taps.radius;
    *takes = status == WEFT_OK && weft_cpu_choose_convolve(&facts)->choice == CPU_CONVOLVE_U16;
    weft_free(taps.weight);
    return status;
}

weft_status weft_lower_separable(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                 weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct separable *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory(error, sizeof *s, "a convolution");
    s->border = weft_filter_border(n->filter, n->block);
    s->u16_rows = b->stage->steps[inputs[0]].type == WEFT_ROW_U16;
    weft_status status = weft_axis_weights_make(n->filter, n->block, WEFT_X, &s->x, error);
    if (status == WEFT_OK)
        status = weft_axis_weights_make(n->filter, n->block, WEFT_Y, &s->y, error);
    if (status == WEFT_OK && s->border == WEFT_BORDER_SHRINK) {
        s->inside = weft_allocate((size_t)info->width, sizeof *s->inside);
        if (!s->inside)
            status = weft_fail_memory(error, (size_t)info->width * sizeof *s->inside, "weights");
        for (int64_t x = 0; status == WEFT_OK && x < info->width; x++)
            s->inside[x] = weft_inside_weight(&s->x, x, info->width);
    }
    if (status != WEFT_OK) {
        destroy(s);
        return status;
    }
    /* Image rows are often a round number of bytes apart and then meet in few sets of the cache; rings are laid out so
     * that they do not. Copying pays from some rows on. */
    struct step *input = &b->stage->steps[inputs[0]];
    if (s->y.radius > FEW_ROWS)
        input->direct = false;
    for (int32_t k = 0; s->u16_rows && k <= 2 * s->y.radius; k++) /* sums are of what is 1 where u16 is 65535 */
        s->y.weights[k] = (float)(s->y.full[k] / 65535);
    /* Rows ahead cost much where many others are made for them. */
    struct cpu_convolve_case facts = {.type = s->u16_rows ? WEFT_U16 : WEFT_F32,
                                      .channels = s->u16_rows ? 1 : info->format.channels,
                                      .border = s->border,
                                      .radius_y = s->y.radius,
                                      .near = weft_source_input(input) >= 0 || input->kind == &weft_program_kind};
    const struct weft_rung *rung = weft_cpu_choose_convolve(&facts);
    s->shared = rung->choice == CPU_CONVOLVE_F32 ? 1 : SHARED;
    return weft_stage_add(b,
                          &(struct step){.kind = &separable,
                                         .why = rung->when,
                                         .inputs = {inputs[0]},
                                         .input_count = 1,
                                         .node = node,
                                         .data = s,
                                         .type = WEFT_ROW_F32,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height,
                                         .late = true,
                                         .divisible = true},
                          result, error);
}
