/* SPDX-License-Identifier: MIT
 * Reading a graph back: its nodes, what they read, and the values of their parameters. */
#include <stdio.h>
#include <string.h>
#include "graph/graph.h"

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
