/* SPDX-License-Identifier: MIT
 * Step 3 of planning: composites become the sub-graphs that they stand for, and filters that know a cheaper form for
 * their parameters are replaced by it. Every round copies the graph and expands one level; composites nest, but not
 * without end. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/typed.h"

#define DEPTH_LIMIT 16

/* Gives the nodes that a composite added their place in the user's graph, so that errors point at it. */
static void adopt(struct weft_graph *graph, int32_t from, const struct weft_graph_node *node) {
    for (int32_t n = from; n < graph->count; n++) {
        graph->nodes[n].origin = node->origin;
        graph->nodes[n].offset = node->offset;
        graph->nodes[n].length = node->length;
        if (node->space == WEFT_SPACE_LINEAR)
            graph->nodes[n].space = WEFT_SPACE_LINEAR;
    }
}

/* Copies one node behind the others of `graph`; map translates its inputs. */
static weft_status copy_node(struct weft_graph *graph, const struct weft_graph_node *node, const weft_node *map,
                             weft_node *result, weft_error *error) {
    weft_node inputs[WEFT_NODE_INPUTS];
    weft_status status;
    if (!node->filter)
        return weft_graph_input(graph, result, error);
    for (int32_t i = 0; i < node->filter->info.inputs; i++)
        inputs[i] = map[node->inputs[i]];
    status = weft_graph_append(graph, node->filter, inputs, node->filter->info.inputs, result, error);
    if (status != WEFT_OK)
        return status;
    struct weft_graph_node *copy = &graph->nodes[*result];
    void *block = weft_block_copy(node->filter, node->block);
    if (!block)
        return weft_fail_memory(error, node->filter->block_size, "parameters");
    weft_block_destroy(copy->filter, copy->block);
    copy->block = block;
    copy->origin = node->origin;
    copy->offset = node->offset, copy->length = node->length;
    copy->space = node->space;
    for (int32_t i = 0; i < node->binding_count; i++) {
        const struct weft_binding *b = &node->bindings[i];
        status = weft_graph_bind(graph, *result, node->filter->parameters[b->parameter].info.name, map[b->from],
                                 b->index, b->scale, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* Which filters that are no composites to replace by their cheaper forms: none, or those that a device does not keep.
 */
struct cheaper {
    bool wanted;
    weft_keeps *keeps;
    const struct weft_device *device;
};
static weft_status wants_cheaper(const struct cheaper *cheaper, const struct weft_graph *graph, const weft_image_info *info,
                                 int32_t n, bool *wanted, weft_error *error) {
    bool kept = false;
    *wanted = cheaper->wanted && graph->nodes[n].binding_count == 0 && graph->nodes[n].filter->expand;
    weft_status status =
        *wanted && cheaper->keeps ? cheaper->keeps(cheaper->device, graph, info, n, &kept, error) : WEFT_OK;
    *wanted = *wanted && !kept;
    return status;
}

/* One level; *again says whether a composite was expanded. */
static weft_status expand_level(const struct weft_graph *graph, const weft_image_info *info,
                                const struct cheaper *cheaper, struct weft_graph **expanded, bool *again,
                                weft_error *error) {
    weft_node *map = weft_allocate((size_t)graph->count, sizeof *map);
    weft_status status = weft_graph_create(expanded, error);
    *again = false;
    if (status == WEFT_OK && !map)
        status = weft_fail_memory(error, (size_t)graph->count * sizeof *map, "the graph");
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        const struct weft_filter *filter = node->filter;
        bool known = filter != NULL;
        weft_node inputs[WEFT_NODE_INPUTS], result = -1;
        weft_image_info input_info[WEFT_NODE_INPUTS];
        for (int32_t i = 0; filter && i < filter->info.inputs; i++) {
            inputs[i] = map[node->inputs[i]];
            input_info[i] = info[node->inputs[i]];
            known = known && input_info[i].width > 0;
        }
        bool composite = filter && filter->kind == WEFT_KIND_COMPOSITE;
        if (composite)
            *again = true;
        bool wanted = composite;
        if (known && !composite)
            status = wants_cheaper(cheaper, graph, info, n, &wanted, error);
        if (status == WEFT_OK && known && filter->expand && wanted) {
            int32_t from = (*expanded)->count;
            status = filter->expand(*expanded, node->block, inputs, input_info, &result, error);
            if (status == WEFT_OK && result >= 0)
                adopt(*expanded, from, node);
            if (status == WEFT_OK && composite && (result < 0 || result >= (*expanded)->count))
                status = weft_fail(error, WEFT_ERROR_INTERNAL, "%s expanded to nothing", filter->info.name);
            if (status != WEFT_OK && error) {
                weft_error_at(error, node->origin, filter->info.name, NULL);
                error->offset = node->offset, error->length = node->length;
            }
        }
        if (status == WEFT_OK && result < 0)
            status = copy_node(*expanded, node, map, &result, error);
        if (status == WEFT_OK)
            map[n] = result;
    }
    for (int32_t i = 0; status == WEFT_OK && i < graph->output_count; i++)
        status = weft_graph_output(*expanded, map[graph->outputs[i]], error);
    weft_free(map);
    if (status != WEFT_OK)
        weft_graph_destroy(expanded);
    return status;
}

weft_status weft_graph_expand(const struct weft_graph *graph, const weft_image_info *inputs, weft_keeps *keeps,
                              const struct weft_device *device, struct weft_graph **expanded, weft_error *error) {
    struct weft_graph *current = NULL;
    weft_status status = weft_graph_copy(graph, &current, error);
    struct cheaper cheaper = {.keeps = keeps, .device = device};
    bool again = true;
    for (int depth = 0; status == WEFT_OK && again; depth++) {
        struct weft_graph *next = NULL;
        weft_image_info *info = weft_allocate((size_t)current->count, sizeof *info);
        if (depth > DEPTH_LIMIT)
            status = weft_fail(error, WEFT_ERROR_INTERNAL, "composites nest deeper than %d", DEPTH_LIMIT);
        else if (!info)
            status = weft_fail_memory(error, (size_t)current->count * sizeof *info, "the graph");
        else
            status = weft_graph_infer(current, inputs, info, error);
        if (status == WEFT_OK)
            status = expand_level(current, info, &cheaper, &next, &again, error);
        weft_free(info);
        weft_graph_destroy(&current);
        current = next;
        /* Cheaper forms come last, once: every composite is gone by then and a form is not made cheaper again. */
        if (status == WEFT_OK && !again && !cheaper.wanted)
            again = cheaper.wanted = true;
        else if (cheaper.wanted)
            break;
    }
    if (status != WEFT_OK)
        weft_graph_destroy(&current);
    *expanded = current;
    return status;
}
