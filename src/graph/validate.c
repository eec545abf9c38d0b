/* SPDX-License-Identifier: MIT
 * The rules for a finished graph, whether it was built by calls or from text. Later steps rely on them. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/typed.h"

/* Names the node and, for graphs from text, the place. */
static weft_status at_node(const struct weft_graph *graph, int32_t index, const char *parameter, weft_status status,
                           weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[index];
    weft_error_at(error, index, node->filter ? node->filter->info.name : NULL, parameter);
    if (error) {
        error->offset = node->offset;
        error->length = node->length;
    }
    return status;
}

static weft_status validate_node(const struct weft_graph *graph, int32_t index, weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[index];
    const struct weft_filter *filter = node->filter;
    if (!filter)
        return WEFT_OK;
    for (int32_t i = 0; i < filter->info.inputs; i++)
        if (node->inputs[i] < 0 || node->inputs[i] >= index) {
            weft_fail(error, WEFT_ERROR_INTERNAL, "%s reads node %d, which is not before it", filter->info.name,
                      node->inputs[i]);
            return at_node(graph, index, NULL, WEFT_ERROR_INTERNAL, error);
        }
    for (int32_t i = 0; i < node->binding_count; i++) {
        const struct weft_binding *binding = &node->bindings[i];
        const weft_parameter_info *info = &filter->parameters[binding->parameter].info;
        if (binding->from < 0 || binding->from >= index ||
            (info->type != WEFT_PARAMETER_FLOAT && info->type != WEFT_PARAMETER_COLOR && info->type != WEFT_PARAMETER_FLOATS)) {
            weft_fail(error, WEFT_ERROR_GRAPH, "%s of %s cannot come from node %d", info->name, filter->info.name,
                      binding->from);
            return at_node(graph, index, info->name, WEFT_ERROR_GRAPH, error);
        }
    }
    weft_status status = filter->check ? filter->check(node->block, error) : WEFT_OK;
    return status == WEFT_OK ? WEFT_OK : at_node(graph, index, NULL, status, error);
}

weft_status weft_graph_validate(const struct weft_graph *graph, weft_error *error) {
    weft_status status = WEFT_OK;
    if (!graph)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "graph is NULL");
    if (graph->output_count == 0)
        return weft_fail(error, WEFT_ERROR_GRAPH, "the graph has no output");
    bool *read = weft_allocate((size_t)graph->count, sizeof *read);
    if (!read)
        return weft_fail_memory(error, (size_t)graph->count, "marks on a graph");
    for (int32_t i = 0; status == WEFT_OK && i < graph->count; i++) {
        const struct weft_graph_node *node = &graph->nodes[i];
        status = validate_node(graph, i, error);
        for (int32_t k = 0; status == WEFT_OK && node->filter && k < node->filter->info.inputs; k++)
            read[node->inputs[k]] = true;
        for (int32_t k = 0; status == WEFT_OK && k < node->binding_count; k++)
            read[node->bindings[k].from] = true;
    }
    for (int32_t i = 0; status == WEFT_OK && i < graph->output_count; i++) {
        if (graph->outputs[i] < 0 || graph->outputs[i] >= graph->count)
            status = weft_fail(error, WEFT_ERROR_INTERNAL, "output %d is node %d, which does not exist", i,
                               graph->outputs[i]);
        else
            read[graph->outputs[i]] = true;
    }
    for (int32_t i = 0; status == WEFT_OK && i < graph->count; i++)
        if (!graph->nodes[i].filter && !read[i]) {
            weft_fail(error, WEFT_ERROR_GRAPH, "no filter reads input %d of the graph", graph->nodes[i].input);
            status = at_node(graph, i, NULL, WEFT_ERROR_GRAPH, error);
        }
    weft_free(read);
    return status;
}

static weft_status validate_input(const weft_image_info *info, int32_t index, weft_error *error) {
    if (info->width < 1 || info->height < 1 || info->width > WEFT_SIDE_LIMIT || info->height > WEFT_SIDE_LIMIT)
        return weft_fail(error, WEFT_ERROR_FORMAT, "input %d is %lldx%lld pixels; a side must be 1 to %d", (int)index,
                         (long long)info->width, (long long)info->height, WEFT_SIDE_LIMIT);
    if (info->format.type < WEFT_U8 || info->format.type > WEFT_F32 || info->format.channels < 1 ||
        info->format.channels > 4)
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "input %d has no valid format; it must be u8, u16, f16 or f32 with 1 to 4 channels", (int)index);
    if ((unsigned)info->alpha > WEFT_ALPHA_PREMULTIPLIED || (unsigned)info->space > WEFT_SPACE_LINEAR)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "input %d has an unknown alpha or color space", (int)index);
    if (info->alpha != WEFT_ALPHA_NONE && info->format.channels % 2 != 0)
        return weft_fail(error, WEFT_ERROR_FORMAT, "input %d has alpha but %d channels; alpha needs 2 or 4", (int)index,
                         (int)info->format.channels);
    return weft_image_size(info, &(size_t){0}, error);
}

weft_status weft_graph_validate_for(const struct weft_graph *graph, const weft_image_info *inputs, int32_t count,
                                    weft_error *error) {
    if (count != graph->input_count)
        return weft_fail(error, WEFT_ERROR_GRAPH, "the graph reads %d image%s, but %d %s given", (int)graph->input_count,
                         graph->input_count == 1 ? "" : "s", (int)count, count == 1 ? "is" : "are");
    weft_status status = weft_graph_refuse_profiles(graph, error);
    for (int32_t i = 0; status == WEFT_OK && i < count; i++)
        status = validate_input(&inputs[i], i, error);
    return status == WEFT_OK ? weft_graph_validate(graph, error) : status;
}
