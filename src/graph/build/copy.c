/* SPDX-License-Identifier: MIT
 * Copies of graphs, and graphs joined to others. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "graph/build/build.h"

/* A copy of a node with what it owns; false without memory, the copy is then whole enough to be destroyed. */
static bool copy_node(const struct weft_graph_node *node, struct weft_graph_node *copy) {
    *copy = *node;
    copy->block = node->filter ? weft_block_copy(node->filter, node->block) : NULL;
    copy->bindings = NULL;
    if (node->binding_count > 0) {
        copy->bindings = weft_allocate((size_t)node->binding_count, sizeof *copy->bindings);
        if (copy->bindings)
            memcpy(copy->bindings, node->bindings, (size_t)node->binding_count * sizeof *copy->bindings);
    }
    return (!node->filter || copy->block) && (node->binding_count == 0 || copy->bindings);
}

void weft_graph_map_kept(struct weft_graph *graph, const struct weft_graph *from, const weft_node *map) {
    for (int32_t n = 0; n < from->count; n++)
        if (from->nodes[n].filter && from->nodes[n].filter->role == WEFT_ROLE_DELAY && from->nodes[n].kept > 0)
            graph->nodes[map[n]].kept = map[from->nodes[n].kept];
}

weft_status weft_graph_copy(const struct weft_graph *graph, struct weft_graph **copy, weft_error *error) {
    weft_status status = weft_catalog_graph(graph->catalog, copy, error);
    if (status != WEFT_OK)
        return status;
    (*copy)->nodes = weft_allocate((size_t)graph->count, sizeof *graph->nodes);
    (*copy)->outputs = weft_allocate((size_t)graph->output_count, sizeof *graph->outputs);
    bool good = (*copy)->nodes && (*copy)->outputs;
    for (int32_t i = 0; good && i < graph->count; i++) {
        good = copy_node(&graph->nodes[i], &(*copy)->nodes[i]);
        (*copy)->count = i + 1;
    }
    if (!good) {
        weft_graph_destroy(copy);
        return weft_fail_memory(error, (size_t)graph->count * sizeof *graph->nodes, "a copy of a graph");
    }
    memcpy((*copy)->outputs, graph->outputs, (size_t)graph->output_count * sizeof *graph->outputs);
    (*copy)->capacity = graph->count;
    (*copy)->output_count = (*copy)->output_capacity = graph->output_count;
    (*copy)->input_count = graph->input_count;
    return WEFT_OK;
}

/* The node of input `input`, which is added when it is the next. */
static weft_status find_input(struct weft_graph *graph, int32_t input, weft_node *node, weft_error *error) {
    for (*node = 0; *node < graph->count; ++*node)
        if (!graph->nodes[*node].filter && graph->nodes[*node].input == input)
            return WEFT_OK;
    return weft_graph_input(graph, node, error);
}

/* Appends a copy of a node that reads what `map` makes of the places that it reads. */
static weft_status join_node(struct weft_graph *graph, const struct weft_graph_node *node, const weft_node *map,
                             int64_t offset, weft_node *result, weft_error *error) {
    struct weft_graph_node copy;
    bool whole = copy_node(node, &copy);
    for (int32_t i = 0; i < node->filter->info.inputs; i++)
        copy.inputs[i] = map[node->inputs[i]];
    for (int32_t i = 0; whole && i < copy.binding_count; i++)
        copy.bindings[i].from = map[copy.bindings[i].from];
    weft_status status = whole ? weft_graph_append_node(graph, copy, result, error) : WEFT_ERROR_MEMORY;
    if (status != WEFT_OK) {
        weft_block_destroy(node->filter, copy.block);
        weft_free(copy.bindings);
        return weft_fail_memory(error, node->filter->block_size, "a copy of a graph");
    }
    graph->nodes[*result].offset = node->offset < 0 ? -1 : node->offset + offset;
    return WEFT_OK;
}

weft_status weft_graph_join(weft_graph *graph, const weft_graph *other, int64_t offset, weft_error *error) {
    if (!graph || !other)
        return weft_graph_fail_argument(error, graph ? "other" : "graph");
    if (graph == other)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a graph cannot be joined to itself");
    const int32_t count = graph->count, inputs = graph->input_count, outputs = graph->output_count;
    weft_node *map = weft_allocate((size_t)other->count + 1, sizeof *map);
    weft_status status =
        map ? WEFT_OK : weft_fail_memory(error, ((size_t)other->count + 1) * sizeof *map, "a copy of a graph");
    for (int32_t i = 0; status == WEFT_OK && i < other->count; i++)
        status = other->nodes[i].filter ? join_node(graph, &other->nodes[i], map, offset, &map[i], error)
                                        : find_input(graph, other->nodes[i].input, &map[i], error);
    if (status == WEFT_OK)
        weft_graph_map_kept(graph, other, map);
    for (int32_t i = 0; status == WEFT_OK && i < other->output_count; i++)
        status = weft_graph_output(graph, map[other->outputs[i]], error);
    if (status == WEFT_OK)
        status = weft_graph_join_profiles(graph, other, inputs, outputs, offset, error);
    while (status != WEFT_OK && graph->count > count)
        weft_graph_remove_last(graph);
    if (status != WEFT_OK)
        graph->input_count = inputs, graph->output_count = outputs;
    weft_free(map);
    return status;
}
