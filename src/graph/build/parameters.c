/* SPDX-License-Identifier: MIT
 * Parameters of a graph's nodes: set by numbers or text, or bound to numbers of images. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "graph/build/build.h"

static bool has_space(const struct weft_filter *filter) {
    return filter->info.inputs > 0 && weft_parameter_find(filter, "space", 5) < 0;
}

/* Finds a parameter of a node: its index, or -1 for the space that every filter with an input can work in. */
static weft_status find(weft_graph *graph, weft_node node, const char *parameter, int32_t *index, weft_error *error) {
    char quote[WEFT_QUOTE_SIZE];
    if (!graph || !parameter)
        return weft_graph_fail_argument(error, graph ? "parameter" : "graph");
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
        return weft_graph_fail_argument(error, "values");
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
        return weft_graph_fail_argument(error, "text");
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
