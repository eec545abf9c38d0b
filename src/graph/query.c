/* SPDX-License-Identifier: MIT
 * Reading a graph back: its nodes, what they read, the values of their parameters, and what can be told of what they make. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "graph/graph.h"
#include "graph/typed.h"

static const struct weft_graph_node *node_of(const weft_graph *graph, weft_node node) {
    return graph && node >= 0 && node < graph->count ? &graph->nodes[node] : NULL;
}

int32_t weft_graph_inputs(const weft_graph *graph) { return graph ? graph->input_count : 0; }
int32_t weft_graph_outputs(const weft_graph *graph) { return graph ? graph->output_count : 0; }

const char *weft_graph_output_label(const weft_graph *graph, int32_t index) {
    if (!graph || index < 0 || index >= graph->labeled)
        return "";
    const char *label = graph->labels;
    while (index-- > 0)
        label += strlen(label) + 1;
    return label;
}

int32_t weft_graph_nodes(const weft_graph *graph) { return graph ? graph->count : 0; }

weft_node weft_graph_input_node(const weft_graph *graph, int32_t index) {
    for (weft_node i = 0; graph && i < graph->count; i++)
        if (!graph->nodes[i].filter && graph->nodes[i].input == index)
            return i;
    return -1;
}

weft_node weft_graph_output_node(const weft_graph *graph, int32_t index) {
    return graph && index >= 0 && index < graph->output_count ? graph->outputs[index] : -1;
}

const weft_filter_info *weft_graph_node_filter(const weft_graph *graph, weft_node node) {
    const struct weft_graph_node *of = node_of(graph, node);
    return of && of->filter ? &of->filter->info : NULL;
}

weft_node weft_graph_node_reads(const weft_graph *graph, weft_node node, int32_t index) {
    const struct weft_graph_node *of = node_of(graph, node);
    return of && of->filter && index >= 0 && index < of->filter->info.inputs ? of->inputs[index] : -1;
}

int32_t weft_graph_node_value(const weft_graph *graph, weft_node node, const char *parameter, weft_from *from,
                              char *text, int32_t size) {
    const struct weft_graph_node *of = node_of(graph, node);
    const size_t room = text && size > 0 ? (size_t)size : 0;
    char *to = room ? text : NULL;
    if (from)
        *from = (weft_from){0};
    if (room)
        text[0] = 0;
    if (!of || !of->filter || !parameter)
        return -1;
    for (int32_t i = 0; i < of->filter->info.parameters; i++) {
        if (strcmp(of->filter->parameters[i].info.name, parameter) != 0)
            continue;
        for (int32_t k = 0; from && k < of->binding_count; k++) {
            const struct weft_binding *bound = &of->bindings[k];
            if (bound->parameter == i && bound->component == 0)
                *from = (weft_from){true, bound->from, bound->index, bound->scale};
        }
        return weft_block_print(of->filter, of->block, i, to, room);
    }
    if (strcmp(parameter, "space") != 0 || of->filter->info.inputs == 0)
        return -1;
    return snprintf(to, room, "%s", of->space == WEFT_SPACE_LINEAR ? "linear" : "encoded");
}

weft_merge weft_graph_node_merge(const weft_graph *graph, weft_node node) {
    static const weft_merge merges[] = {[WEFT_REDUCE_MIN] = WEFT_MERGE_MIN, [WEFT_REDUCE_MAX] = WEFT_MERGE_MAX,
                                        [WEFT_REDUCE_SUM] = WEFT_MERGE_SUM, [WEFT_REDUCE_MEAN] = WEFT_MERGE_MEAN,
                                        [WEFT_REDUCE_HISTOGRAM] = WEFT_MERGE_SUM,  [WEFT_REDUCE_BOXES] = WEFT_MERGE_NONE,
                                        [WEFT_REDUCE_CENTROIDS] = WEFT_MERGE_NONE}; /* of places in a piece */
    const struct weft_graph_node *of = node_of(graph, node);
    int32_t bins = 0;
    if (!of || !of->filter || of->filter->kind != WEFT_KIND_REDUCE)
        return WEFT_MERGE_NONE;
    return merges[of->filter->reduction(of->block, &bins)];
}

weft_status weft_graph_node_infos(const weft_graph *graph, const weft_image_info *inputs, int32_t count, weft_image_info *infos,
                                  weft_error *error) {
    if (!graph || !infos || (count > 0 && !inputs))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_graph_node_infos needs a graph, images and room for what is told");
    weft_status status = weft_graph_validate_for(graph, inputs, count, error);
    return status == WEFT_OK ? weft_graph_infer(graph, inputs, infos, error) : status;
}

static bool is_nothing(float weight) { return fabsf(weight) < 1e-6f; }

/* Which pixels a node moves or averages is no matter of names: the tables of its axes say it. Whether each pixel of a table has
 * the same number of equal weights, and begins where the one before it ends. */
static bool find(const struct weft_axis *axis, struct weft_cells *cells) {
    for (int64_t i = 0; i < axis->size; i++) {
        const float *weight = axis->weight + i * axis->count;
        int32_t from = 0, to = axis->count;
        while (from < to && is_nothing(weight[from]))
            from++;
        while (from < to && is_nothing(weight[to - 1]))
            to--;
        if (i == 0)
            *cells = (struct weft_cells){axis->first[0] + from, axis->size, to - from};
        if (to - from != cells->side || axis->first[i] + from != cells->first + i * cells->side)
            return false;
        for (int32_t k = from; k < to; k++)
            if (!is_nothing(weight[k] - 1.0f / (float)cells->side))
                return false;
    }
    return axis->size > 0 && cells->side > 0;
}

static bool find_along(const struct weft_graph_node *node, enum weft_direction direction, int64_t size, struct weft_cells *cells) {
    struct weft_axis axis = {.first = NULL};
    bool found = node->filter->axis(node->block, direction, size, &axis, NULL) == WEFT_OK && find(&axis, cells);
    weft_axis_clear(&axis);
    return found && cells->first >= 0 && cells->first + cells->side * cells->count <= size;
}

bool weft_graph_node_cells(const weft_graph *graph, weft_node node, const weft_image_info *read, weft_cells *x, weft_cells *y) {
    const struct weft_graph_node *of = node_of(graph, node);
    if (!of || !of->filter || !read || !x || !y || read->width < 1 || read->height < 1)
        return false;
    if (of->filter->kind != WEFT_KIND_RESAMPLE || of->binding_count > 0 ||
        !find_along(of, WEFT_X, read->width, x) || !find_along(of, WEFT_Y, read->height, y))
        return false;
    bool moves = x->side == 1 && y->side == 1;
    return moves || (weft_filter_need(of->filter, of->block) == WEFT_NEED_PREMULTIPLIED && of->space != WEFT_SPACE_LINEAR);
}
