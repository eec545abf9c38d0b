/* SPDX-License-Identifier: MIT
 * Resampling: a step per axis, the order by cost, an axis that changes nothing left out. Where pixels are only moved,
 * one step does both axes. */
#include "backend/cpu/steps/resample/resample.h"
#include "base/memory.h"
#include "base/status.h"

/* The axis that leaves `size` pixels where they are. */
static weft_status keep_axis(int64_t size, struct weft_axis *axis, weft_error *error) {
    *axis = (struct weft_axis){.size = size,
                               .count = 1,
                               .first = weft_allocate((size_t)size, sizeof *axis->first),
                               .weight = weft_allocate((size_t)size, sizeof *axis->weight),
                               .exact = true};
    if (!axis->first || !axis->weight) {
        weft_axis_clear(axis);
        return weft_fail_memory(error, (size_t)size * sizeof *axis->first, "the places of an axis");
    }
    for (int64_t i = 0; i < size; i++)
        axis->first[i] = i, axis->weight[i] = 1;
    return WEFT_OK;
}

/* Moves along one axis, or along both when both tables are given. */
static weft_status add_move(struct builder *b, int32_t node, struct resample_table *x, struct resample_table *y,
                            int32_t *input, weft_error *error) {
    struct step like = b->stage->steps[*input];
    struct resample_table other = {0};
    struct weft_axis axis = {0};
    if (!x || !y) {
        int64_t size = x ? like.height : like.width;
        weft_status status = keep_axis(size, &axis, error);
        if (status == WEFT_OK)
            status = weft_resample_table(&axis, size, WEFT_BORDER_REPLICATE, &other, error);
        if (status != WEFT_OK)
            return status;
    }
    return weft_resample_move(b, node, x ? x : &other, y ? y : &other, input, error);
}

/* One axis that is not left out. `total`: what the axis before made of a border value of 1. */
static weft_status add_axis(struct builder *b, int32_t node, enum weft_direction direction,
                            struct resample_table *table, float *total, int32_t *input, weft_error *error) {
    if (table->move && !total)
        return add_move(b, node, direction == WEFT_X ? table : NULL, direction == WEFT_Y ? table : NULL, input, error);
    return direction == WEFT_X ? weft_resample_x(b, node, table, total, input, error)
                               : weft_resample_y(b, node, table, total, input, error);
}

/* Whether fewer products are made when y comes first. */
static bool y_first(const struct resample_table *x, const struct resample_table *y) {
    double x_taps = (double)x->taps, y_taps = (double)y->taps, outputs = (double)x->outputs * (double)y->outputs;
    double first_x = (double)x->outputs * (double)y->inputs * x_taps + outputs * y_taps;
    double first_y = (double)x->inputs * (double)y->outputs * y_taps + outputs * x_taps;
    return first_y <= first_x;
}

static weft_status add_axes(struct builder *b, int32_t node, struct resample_table *tables, int32_t *input,
                            weft_error *error) {
    struct resample_table *x = &tables[WEFT_X], *y = &tables[WEFT_Y];
    weft_status status = WEFT_OK;
    if (x->identity && y->identity)
        return WEFT_OK;
    bool moves = x->move && y->move;
    /* A border value in rows of integers would be rounded too early. */
    if (!moves || x->constant || y->constant)
        status = weft_stage_widen(b, input, error);
    if (status != WEFT_OK || moves)
        return status == WEFT_OK ? add_move(b, node, x, y, input, error) : status;
    enum weft_direction order[2] = {WEFT_X, WEFT_Y};
    if (y_first(x, y))
        order[0] = WEFT_Y, order[1] = WEFT_X;
    float *total = NULL;
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        struct resample_table *table = &tables[order[i]];
        if (table->identity) /* and so without a border value */
            continue;
        float *next = i == 0 ? table->total : NULL;
        if (i == 0)
            table->total = NULL;
        bool outside = total && table->constant;
        status = add_axis(b, node, order[i], table, outside ? total : NULL, input, error);
        if (!outside)
            weft_free(total);
        total = next;
    }
    weft_free(total);
    return status;
}

weft_status weft_lower_resample(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                                weft_error *error) {
    const struct weft_graph_node *of = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct step like = b->stage->steps[inputs[0]];
    struct resample_table tables[2] = {{0}};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        enum weft_direction direction = i == 0 ? WEFT_X : WEFT_Y;
        int64_t size = direction == WEFT_X ? like.width : like.height;
        struct weft_axis axis = {0};
        status = of->filter->axis(of->block, direction, size, &axis, error);
        if (status == WEFT_OK && axis.size != (direction == WEFT_X ? info->width : info->height)) {
            weft_axis_clear(&axis);
            status =
                weft_fail(error, WEFT_ERROR_INTERNAL, "the axes of a resampling make another size than it inferred");
        }
        if (status == WEFT_OK)
            status =
                weft_resample_table(&axis, size, weft_filter_border(of->filter, of->block), &tables[direction], error);
    }
    *result = inputs[0];
    if (status == WEFT_OK)
        status = add_axes(b, node, tables, result, error);
    weft_resample_clear(&tables[WEFT_X]);
    weft_resample_clear(&tables[WEFT_Y]);
    return status;
}
