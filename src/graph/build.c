/* SPDX-License-Identifier: MIT
 * Graphs by calls. A node can only read nodes that exist, so the nodes are always in an order in which they can run. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "filter/help/subgraph.h"
#include "graph/graph.h"

static bool has_space(const struct weft_filter *filter) {
    return filter->info.inputs > 0 && weft_parameter_find(filter, "space", 5) < 0;
}

static weft_status fail_argument(weft_error *error, const char *what) {
    return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s is NULL", what);
}

weft_status weft_graph_create(weft_graph **graph, weft_error *error) {
    if (!graph)
        return fail_argument(error, "graph");
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

static weft_status append(struct weft_graph *graph, struct weft_graph_node added, weft_node *node, weft_error *error) {
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
        return fail_argument(error, "graph");
    weft_status status = append(graph, (struct weft_graph_node){.input = graph->input_count}, node, error);
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
        return fail_argument(error, "inputs");
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
            status = append(graph, added, node, error);
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
        return fail_argument(error, graph ? "filter" : "graph");
    size_t length = strlen(filter);
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
        return fail_argument(error, "values");
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
        return fail_argument(error, "graph");
    if (node < 0 || node >= graph->count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "node %d does not exist and cannot be an output", node);
    weft_node *outputs = grow(graph->outputs, graph->output_count, &graph->output_capacity, sizeof *outputs);
    if (!outputs)
        return weft_fail_memory(error, sizeof *outputs * 2 * (size_t)graph->output_capacity, "the outputs of a graph");
    graph->outputs = outputs;
    outputs[graph->output_count++] = node;
    return WEFT_OK;
}

/* Finds a parameter of a node: its index, or -1 for the space that every filter with an input can work in. */
static weft_status find(weft_graph *graph, weft_node node, const char *parameter, int32_t *index, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    if (!graph || !parameter)
        return fail_argument(error, graph ? "parameter" : "graph");
    if (node < 0 || node >= graph->count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "node %d does not exist", node);
    const struct weft_filter *filter = graph->nodes[node].filter;
    if (!filter)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "node %d is an input of the graph and has no parameters", node);
    *index = weft_parameter_find(filter, parameter, strlen(parameter));
    if (*index >= 0 || (has_space(filter) && strcmp(parameter, "space") == 0))
        return WEFT_OK;
    const struct weft_parameter *nearest = weft_parameter_nearest(filter, parameter, strlen(parameter));
    weft_text_quote(quote, parameter, strlen(parameter));
    weft_fail(error, WEFT_ERROR_PARAMETER,
              nearest ? "%s has no parameter '%s': did you mean '%s'?" : "%s has no parameter '%s'", filter->info.name,
              quote, nearest ? nearest->info.name : "");
    weft_error_at(error, node, filter->info.name, quote);
    return WEFT_ERROR_PARAMETER;
}

static void unbind(struct weft_graph_node *node, int32_t parameter) {
    for (int32_t i = 0; i < node->binding_count; i++)
        if (node->bindings[i].parameter == parameter)
            node->bindings[i--] = node->bindings[--node->binding_count];
}

weft_status weft_graph_set(weft_graph *graph, weft_node node, const char *parameter, const double *values,
                           int32_t count, weft_error *error) {
    int32_t index = 0;
    weft_status status = find(graph, node, parameter, &index, error);
    if (status != WEFT_OK)
        return status;
    if (!values)
        return fail_argument(error, "values");
    struct weft_graph_node *at = &graph->nodes[node];
    if (index < 0) {
        if (count == 1 && (values[0] == WEFT_SPACE_ENCODED || values[0] == WEFT_SPACE_LINEAR)) {
            at->space = values[0] == WEFT_SPACE_LINEAR ? WEFT_SPACE_LINEAR : WEFT_SPACE_ENCODED;
            return WEFT_OK;
        }
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "space is 0 (encoded) or 1 (linear)");
    } else {
        status = weft_block_set(at->filter, at->block, index, values, count, error);
    }
    if (status == WEFT_OK)
        unbind(at, index);
    else
        weft_error_at(error, node, at->filter->info.name, parameter);
    return status;
}

weft_status weft_graph_set_text(weft_graph *graph, weft_node node, const char *parameter, const char *text,
                                weft_error *error) {
    int32_t index = 0;
    weft_status status = find(graph, node, parameter, &index, error);
    if (status != WEFT_OK)
        return status;
    if (!text)
        return fail_argument(error, "text");
    struct weft_graph_node *at = &graph->nodes[node];
    if (index < 0) {
        char quote[WEFT_QUOTE_SIZE];
        if (strcmp(text, "linear") == 0 || strcmp(text, "encoded") == 0) {
            at->space = text[0] == 'l' ? WEFT_SPACE_LINEAR : WEFT_SPACE_ENCODED;
            return WEFT_OK;
        }
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "space is encoded or linear, not '%s'",
                           weft_text_quote(quote, text, strlen(text)));
    } else {
        status = weft_block_set_text(at->filter, at->block, index, text, strlen(text), error);
    }
    if (status == WEFT_OK)
        unbind(at, index);
    else
        weft_error_at(error, node, at->filter->info.name, parameter);
    return status;
}

weft_status weft_graph_bind_number(struct weft_graph *graph, weft_node node, int32_t parameter, int32_t component,
                                   weft_node from, int32_t index, double scale, weft_error *error) {
    struct weft_graph_node *at = &graph->nodes[node];
    const struct weft_binding added = {parameter, component, from, index, scale};
    for (int32_t i = 0; i < at->binding_count; i++)
        if (at->bindings[i].parameter == parameter && at->bindings[i].component == component)
            at->bindings[i--] = at->bindings[--at->binding_count];
    struct weft_binding *bindings = weft_reallocate(at->bindings, (size_t)at->binding_count + 1, sizeof *bindings);
    if (!bindings)
        return weft_fail_memory(error, ((size_t)at->binding_count + 1) * sizeof *bindings, "a binding");
    at->bindings = bindings;
    bindings[at->binding_count++] = added;
    return WEFT_OK;
}

/* How many numbers of a parameter come from an image: of a color red, green and blue. 0: none can. */
static int32_t bound_numbers(const weft_parameter_info *info) {
    bool several = info && info->type == WEFT_PARAMETER_FLOATS;
    return !info ? 0 : info->type == WEFT_PARAMETER_FLOAT ? 1 : info->type == WEFT_PARAMETER_COLOR ? 3 : several ? info->count : 0;
}

weft_status weft_graph_bind(weft_graph *graph, weft_node node, const char *parameter, weft_node from, int32_t index,
                            double scale, weft_error *error) {
    int32_t found = 0;
    weft_status status = find(graph, node, parameter, &found, error);
    if (status != WEFT_OK)
        return status;
    struct weft_graph_node *at = &graph->nodes[node];
    const weft_parameter_info *info = found >= 0 ? &at->filter->parameters[found].info : NULL;
    int32_t count = bound_numbers(info);
    if (count == 0)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s cannot come from an image: it is not made of real numbers",
                           parameter);
    else if (!info->dynamic)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s cannot come from an image: it decides how the filter works",
                           parameter);
    else if (from < 0 || from >= node)
        status = weft_fail(error, WEFT_ERROR_ARGUMENT, "%s cannot come from node %d: it must come before node %d",
                           parameter, from, node);
    else if (index < 0 || index > INT32_MAX - count || !isfinite(scale))
        status = weft_fail(error, WEFT_ERROR_ARGUMENT, "%s cannot come from number %d of node %d times that", parameter,
                           index, from);
    for (int32_t k = 0; status == WEFT_OK && k < count; k++)
        status = weft_graph_bind_number(graph, node, found, k, from, index + k, scale, error);
    if (status != WEFT_OK)
        weft_error_at(error, node, at->filter->info.name, parameter);
    return status;
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
    weft_status status = whole ? append(graph, copy, result, error) : WEFT_ERROR_MEMORY;
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
        return fail_argument(error, graph ? "other" : "graph");
    if (graph == other)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a graph cannot be joined to itself");
    const int32_t count = graph->count, inputs = graph->input_count, outputs = graph->output_count;
    weft_node *map = weft_allocate((size_t)other->count + 1, sizeof *map);
    weft_status status =
        map ? WEFT_OK : weft_fail_memory(error, ((size_t)other->count + 1) * sizeof *map, "a copy of a graph");
    for (int32_t i = 0; status == WEFT_OK && i < other->count; i++)
        status = other->nodes[i].filter ? join_node(graph, &other->nodes[i], map, offset, &map[i], error)
                                        : find_input(graph, other->nodes[i].input, &map[i], error);
    for (int32_t i = 0; status == WEFT_OK && i < other->output_count; i++)
        status = weft_graph_output(graph, map[other->outputs[i]], error);
    while (status != WEFT_OK && graph->count > count)
        weft_graph_remove_last(graph);
    if (status != WEFT_OK)
        graph->input_count = inputs, graph->output_count = outputs;
    weft_free(map);
    return status;
}
