/* SPDX-License-Identifier: MIT
 * Graphs by calls. A node can only read nodes that exist, so the nodes are always in an order in which they can run. */
#include "graph/build/build.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "filter/help/subgraph.h"

weft_status weft_graph_fail_argument(weft_error *error, const char *what) {
    return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s is NULL", what);
}

weft_status weft_graph_create(weft_graph **graph, weft_error *error) {
    if (!graph)
        return weft_graph_fail_argument(error, "graph");
    *graph = weft_allocate(1, sizeof **graph);
    return *graph ? WEFT_OK : weft_fail_memory(error, sizeof **graph, "a graph");
}

weft_status weft_catalog_graph(const weft_catalog *catalog, weft_graph **graph, weft_error *error) {
    weft_status status = weft_graph_create(graph, error);
    if (status == WEFT_OK) {
        (*graph)->catalog = catalog;
        weft_catalog_hold(catalog);
    }
    return status;
}

void weft_graph_remove_last(struct weft_graph *graph) {
    struct weft_graph_node *node = &graph->nodes[--graph->count];
    if (node->filter)
        weft_block_destroy(node->filter, node->block);
    weft_free(node->bindings);
}

void weft_graph_destroy(weft_graph **graph) {
    if (!graph || !*graph)
        return;
    while ((*graph)->count > 0)
        weft_graph_remove_last(*graph);
    weft_free((*graph)->nodes);
    weft_free((*graph)->outputs);
    weft_free((*graph)->labels);
    weft_graph_drop_profiles(*graph, 0);
    weft_catalog_leave((*graph)->catalog);
    weft_free(*graph);
    *graph = NULL;
}

/* Room for one more element; the array's new place, or NULL. */
static void *grow(void *array, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    if (*capacity > INT32_MAX / 2 - 8)
        return NULL;
    void *larger = weft_reallocate(array, (size_t)*capacity * 2 + 8, size);
    if (larger)
        *capacity = *capacity * 2 + 8;
    return larger;
}

weft_status weft_graph_append_node(struct weft_graph *graph, struct weft_graph_node added, weft_node *node, weft_error *error) {
    struct weft_graph_node *nodes = grow(graph->nodes, graph->count, &graph->capacity, sizeof *nodes);
    if (!nodes)
        return weft_fail_memory(error, sizeof *nodes * 2 * (size_t)graph->capacity, "the nodes of a graph");
    graph->nodes = nodes;
    added.origin = added.offset = -1;
    nodes[graph->count] = added;
    if (node)
        *node = graph->count;
    graph->count++;
    return WEFT_OK;
}

weft_status weft_graph_input(weft_graph *graph, weft_node *node, weft_error *error) {
    if (!graph)
        return weft_graph_fail_argument(error, "graph");
    weft_status status = weft_graph_append_node(graph, (struct weft_graph_node){.input = graph->input_count}, node, error);
    if (status == WEFT_OK)
        graph->input_count++;
    return status;
}

static weft_status check_inputs(const struct weft_graph *graph, const struct weft_filter *filter,
                                const weft_node *inputs, int32_t count, weft_error *error) {
    int32_t wanted = filter->info.inputs;
    if (count != wanted) {
        weft_fail(error, WEFT_ERROR_GRAPH,
                  wanted == 0 ? "%s takes no input, %d given" : "%s takes %d input%s, %d given", filter->info.name,
                  wanted == 0 ? count : wanted, wanted == 1 ? "" : "s", count);
        return WEFT_ERROR_GRAPH;
    }
    if (count > WEFT_NODE_INPUTS)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "%s has more inputs than a node can hold", filter->info.name);
    if (count > 0 && !inputs)
        return weft_graph_fail_argument(error, "inputs");
    for (int32_t i = 0; i < count; i++)
        if (inputs[i] < 0 || inputs[i] >= graph->count)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "input %d of %s is node %d, which does not exist", i,
                             filter->info.name, inputs[i]);
    return WEFT_OK;
}

weft_status weft_graph_append(struct weft_graph *graph, const struct weft_filter *filter, const weft_node *inputs,
                              int32_t count, weft_node *node, weft_error *error) {
    struct weft_graph_node added = {.filter = filter};
    weft_status status = check_inputs(graph, filter, inputs, count, error);
    if (status == WEFT_OK) {
        for (int32_t i = 0; i < count; i++)
            added.inputs[i] = inputs[i];
        added.block = weft_block_create(filter);
        if (!added.block)
            status = weft_fail_memory(error, filter->block_size, "the parameters of a filter");
        else
            status = weft_graph_append_node(graph, added, node, error);
    }
    if (status != WEFT_OK) {
        weft_block_destroy(filter, added.block);
        weft_error_at(error, graph->count, filter->info.name, NULL);
    }
    return status;
}

weft_status weft_graph_add(weft_graph *graph, const char *filter, const weft_node *inputs, int32_t count,
                           weft_node *node, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    if (!graph || !filter)
        return weft_graph_fail_argument(error, graph ? "filter" : "graph");
    size_t length = strlen(filter);
    if (strcmp(filter, WEFT_COLOR_PROFILE) == 0)
        return weft_fail(error, WEFT_ERROR_GRAPH,
                         WEFT_COLOR_PROFILE " is no filter of pixels but what files do as they are read and written: it stands in "
                                            "a graph's text, and in weft_reader_options and weft_writer_options");
    const struct weft_filter *found = weft_catalog_lookup(graph->catalog, filter, length);
    if (found)
        return weft_graph_append(graph, found, inputs, count, node, error);
    const struct weft_filter *nearest = weft_catalog_nearest(graph->catalog, filter, length);
    weft_text_quote(quote, filter, length);
    weft_fail(error, WEFT_ERROR_GRAPH, nearest ? "unknown filter '%s': did you mean '%s'?" : "unknown filter '%s'",
              quote, nearest ? nearest->info.name : "");
    weft_error_at(error, graph->count, quote, NULL);
    return WEFT_ERROR_GRAPH;
}

weft_status weft_graph_add_with(weft_graph *graph, const char *filter, const weft_node *inputs, int32_t count,
                                const weft_value *values, int32_t value_count, weft_node *node, weft_error *error) {
    weft_node added = -1;
    if (value_count > 0 && !values)
        return weft_graph_fail_argument(error, "values");
    weft_status status = weft_graph_add(graph, filter, inputs, count, &added, error);
    if (status != WEFT_OK)
        return status;
    for (int32_t i = 0; status == WEFT_OK && i < value_count; i++) {
        const weft_value *value = &values[i];
        if (value->from.bound)
            status = weft_graph_bind(graph, added, value->parameter, value->from.node, value->from.index,
                                     value->from.scale, error);
        else if (value->numbers || value->count != 0)
            status = weft_graph_set(graph, added, value->parameter, value->numbers, value->count, error);
    }
    if (status != WEFT_OK)
        weft_graph_remove_last(graph);
    else if (node)
        *node = added;
    return status;
}

weft_status weft_graph_keep(struct weft_graph *graph, weft_node delay, weft_node kept, weft_error *error) {
    if (delay < 0 || delay >= graph->count || kept <= 0 || kept >= graph->count || !graph->nodes[delay].filter ||
        graph->nodes[delay].filter->role != WEFT_ROLE_DELAY)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "node %d cannot recall node %d", delay, kept);
    graph->nodes[delay].kept = kept;
    return WEFT_OK;
}

weft_status weft_graph_output(weft_graph *graph, weft_node node, weft_error *error) {
    if (!graph)
        return weft_graph_fail_argument(error, "graph");
    if (node < 0 || node >= graph->count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "node %d does not exist and cannot be an output", node);
    weft_node *outputs = grow(graph->outputs, graph->output_count, &graph->output_capacity, sizeof *outputs);
    if (!outputs)
        return weft_fail_memory(error, sizeof *outputs * 2 * (size_t)graph->output_capacity, "the outputs of a graph");
    graph->outputs = outputs;
    outputs[graph->output_count++] = node;
    return WEFT_OK;
}
