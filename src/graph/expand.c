/* SPDX-License-Identifier: MIT
 * Step 3 of planning: composites become the sub-graphs that they stand for; then filters that know a cheaper form for their
 * parameters are replaced by it, unless the device keeps them. Nodes are taken in order. A composite is built in a graph of its
 * own, whose nodes are then taken the same way; so composites nest, but not without end, and a chain of them is as deep as one. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/typed.h"

#define DEPTH_LIMIT 16

/* Copies a filter behind the nodes of `graph`; map translates its inputs. */
static weft_status copy_node(struct weft_graph *graph, const struct weft_graph_node *node, const weft_node *map,
                             weft_node *result, weft_error *error) {
    weft_node inputs[WEFT_NODE_INPUTS];
    for (int32_t i = 0; i < node->filter->info.inputs; i++)
        inputs[i] = map[node->inputs[i]];
    weft_status status = weft_graph_append(graph, node->filter, inputs, node->filter->info.inputs, result, error);
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
    copy->kept = node->kept;
    for (int32_t i = 0; i < node->binding_count; i++) {
        const struct weft_binding *b = &node->bindings[i];
        status = weft_graph_bind_number(graph, *result, b->parameter, b->component, map[b->from], b->index, b->scale, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* The graph that is made, with the info of its nodes, which filters' functions ask for. */
struct expansion {
    struct weft_graph *graph;
    weft_image_info *info;         /* of its nodes; room for `capacity` */
    int32_t capacity;
    const struct weft_graph *from; /* whose filters are replaced by cheaper forms, its nodes' info beside it; NULL: none are */
    const weft_image_info *from_info;
    struct weft_recalls *recalls;  /* where images of earlier frames are noted; NULL: they are inputs already */
    weft_keeps *keeps;             /* but those that the device keeps; NULL: it keeps none */
    const struct weft_device *device;
};

/* Remembers the info of the last node of the graph. */
static weft_status remember(struct expansion *e, const weft_image_info *info, weft_error *error) {
    if (e->capacity < e->graph->capacity) {
        weft_image_info *grown = weft_reallocate(e->info, (size_t)e->graph->capacity, sizeof *grown);
        if (!grown)
            return weft_fail_memory(error, (size_t)e->graph->capacity * sizeof *grown, "the graph");
        e->info = grown, e->capacity = e->graph->capacity;
    }
    e->info[e->graph->count - 1] = *info;
    return WEFT_OK;
}

static weft_status fail_at(const struct weft_graph_node *node, weft_status status, weft_error *error) {
    weft_error_at(error, node->origin, node->filter->info.name, NULL);
    if (error)
        error->offset = node->offset, error->length = node->length;
    return status;
}

/* Builds what a node stands for in a graph of its own, whose inputs are the node's; *result -1: the node itself. Inputs that are
 * the same image (`from`) are the same one there, so that filters see that they are. */
static weft_status build(const struct weft_graph_node *node, const weft_node *from, const weft_image_info *inputs,
                         struct weft_graph **built, weft_node *result, weft_error *error) {
    weft_node ends[WEFT_NODE_INPUTS];
    weft_status status = weft_graph_create(built, error);
    for (int32_t i = 0; status == WEFT_OK && i < node->filter->info.inputs; i++)
        status = weft_graph_input(*built, &ends[i], error);
    for (int32_t i = 1; i < node->filter->info.inputs; i++)
        for (int32_t k = 0; k < i; k++)
            if (from[k] == from[i]) {
                ends[i] = ends[k];
                break;
            }
    if (status == WEFT_OK)
        status = node->filter->expand(*built, node->block, ends, inputs, result, error);
    if (status == WEFT_OK && node->filter->kind == WEFT_KIND_COMPOSITE && (*result < 0 || *result >= (*built)->count))
        status = weft_fail(error, WEFT_ERROR_INTERNAL, "%s expanded to nothing", node->filter->info.name);
    /* What was built has its place in the user's graph, so that errors point at it. */
    for (int32_t n = 0; status == WEFT_OK && n < (*built)->count; n++) {
        struct weft_graph_node *added = &(*built)->nodes[n];
        added->origin = node->origin;
        added->offset = node->offset, added->length = node->length;
        if (node->space == WEFT_SPACE_LINEAR)
            added->space = WEFT_SPACE_LINEAR;
    }
    return status == WEFT_OK ? WEFT_OK : fail_at(node, status, error);
}

static weft_status add_node(struct expansion *e, const struct weft_graph_node *node, weft_node *map, int32_t n, int depth,
                            weft_error *error);

/* What DELAYs recall, once map says what all nodes of `graph` have become: noted in the list of recalls, or in the nodes. */
static void map_kept(struct expansion *e, const struct weft_graph *graph, const weft_node *map) {
    if (e->recalls)
        weft_recalls_map(e->recalls, graph, map);
    else
        weft_graph_map_kept(e->graph, graph, map);
}

/* Adds what a node stands for, if that is something else. */
static weft_status add_built(struct expansion *e, const struct weft_graph_node *node, const weft_node *inputs,
                             const weft_image_info *info, int depth, weft_node *result, weft_error *error) {
    struct weft_graph *built = NULL;
    weft_node end = -1, *map = NULL;
    if (depth >= DEPTH_LIMIT)
        return fail_at(node, weft_fail(error, WEFT_ERROR_INTERNAL, "composites nest deeper than %d", DEPTH_LIMIT), error);
    weft_status status = build(node, inputs, info, &built, &end, error);
    if (status == WEFT_OK && end >= 0) {
        map = weft_allocate((size_t)built->count, sizeof *map);
        if (!map)
            status = weft_fail_memory(error, (size_t)built->count * sizeof *map, "the graph");
        for (int32_t i = 0; status == WEFT_OK && i < node->filter->info.inputs; i++)
            map[i] = inputs[i];
        for (int32_t k = node->filter->info.inputs; status == WEFT_OK && k < built->count; k++)
            status = add_node(e, &built->nodes[k], map, k, depth + 1, error);
        if (status == WEFT_OK) {
            map_kept(e, built, map);
            *result = map[end];
        }
    }
    weft_free(map);
    weft_graph_destroy(&built);
    return status;
}

/* Whether node n is to be replaced by what it expands to. A cheaper form is not made cheaper again. */
static weft_status wants_form(const struct expansion *e, const struct weft_graph_node *node, int32_t n, int depth,
                              bool *wanted, weft_error *error) {
    bool kept = false;
    *wanted = node->filter->kind == WEFT_KIND_COMPOSITE;
    if (*wanted || !e->from || depth > 0 || !node->filter->expand || node->binding_count > 0)
        return WEFT_OK;
    weft_status status = e->keeps ? e->keeps(e->device, e->from, e->from_info, n, &kept, error) : WEFT_OK;
    *wanted = !kept;
    return status;
}

/* Adds the input of a kept image, and what shows it or, as long as there is none, the present one. */
static weft_status add_recall(struct expansion *e, const struct weft_graph_node *node, weft_node input, weft_node *result,
                              weft_error *error) {
    weft_node pair[2] = {input, -1};
    weft_image_info info[2] = {e->info[input], e->info[input]}, own;
    int32_t frames = *(const int32_t *)node->block;
    *result = input;
    if (frames == 0)
        return WEFT_OK;
    bool whole = node->kept == 0 && !e->graph->nodes[input].filter;
    if (info[0].format.type == WEFT_F64)
        return fail_at(node, weft_fail(error, WEFT_ERROR_GRAPH, "%s keeps pictures, not numbers", node->filter->info.name),
                       error);
    if (!whole)
        info[1].format.type = WEFT_F32;
    weft_status status = weft_graph_input(e->graph, &pair[1], error);
    if (status == WEFT_OK)
        status = remember(e, &info[1], error);
    if (status == WEFT_OK)
        status = weft_graph_append(e->graph, weft_registry_role(WEFT_ROLE_RECALL), pair, 2, result, error);
    if (status != WEFT_OK)
        return status;
    struct weft_graph_node *recall = &e->graph->nodes[*result];
    recall->kept = e->recalls->count + 1;
    recall->origin = node->origin, recall->offset = node->offset, recall->length = node->length;
    status = weft_node_infer(recall, info, &own, error);
    if (status == WEFT_OK)
        status = remember(e, &own, error);
    struct weft_recall added = {.frames = frames, .recall = *result, .kept = input};
    return status == WEFT_OK ? weft_recalls_add(e->recalls, &added, &info[1], error) : status;
}

/* Adds node n of the graph in which map says what the earlier ones have become. */
static weft_status add_node(struct expansion *e, const struct weft_graph_node *node, weft_node *map, int32_t n, int depth,
                            weft_error *error) {
    weft_node inputs[WEFT_NODE_INPUTS] = {0}, result = -1;
    weft_image_info info[WEFT_NODE_INPUTS], own;
    bool wanted = false;
    for (int32_t i = 0; i < node->filter->info.inputs; i++) {
        inputs[i] = map[node->inputs[i]];
        info[i] = e->info[inputs[i]];
    }
    weft_status status = wants_form(e, node, n, depth, &wanted, error);
    if (status == WEFT_OK && e->recalls && node->filter->role == WEFT_ROLE_DELAY) {
        status = add_recall(e, node, inputs[0], &result, error);
        map[n] = result;
        return status;
    }
    if (status == WEFT_OK && wanted)
        status = add_built(e, node, inputs, info, depth, &result, error);
    if (status == WEFT_OK && result < 0) {
        status = copy_node(e->graph, node, map, &result, error);
        if (status == WEFT_OK)
            status = weft_node_infer(&e->graph->nodes[result], info, &own, error);
        if (status == WEFT_OK)
            status = remember(e, &own, error);
    }
    map[n] = result;
    return status;
}

/* Makes e->graph of a graph: without composites, and with e->from the same graph with cheaper forms. */
static weft_status expand(struct expansion *e, const struct weft_graph *graph, const weft_image_info *inputs,
                          weft_error *error) {
    weft_node *map = weft_allocate((size_t)graph->count, sizeof *map);
    weft_status status = weft_graph_create(&e->graph, error);
    if (status == WEFT_OK && !map)
        status = weft_fail_memory(error, (size_t)graph->count * sizeof *map, "the graph");
    /* Inputs first, which may come behind filters of time: those of kept images are numbered behind them. */
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++) {
        if (graph->nodes[n].filter)
            continue;
        status = weft_graph_input(e->graph, &map[n], error);
        if (status == WEFT_OK)
            status = remember(e, &inputs[graph->nodes[n].input], error);
    }
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++)
        if (graph->nodes[n].filter)
            status = add_node(e, &graph->nodes[n], map, n, 0, error);
    for (int32_t i = 0; status == WEFT_OK && i < graph->output_count; i++)
        status = weft_graph_output(e->graph, map[graph->outputs[i]], error);
    if (status == WEFT_OK)
        map_kept(e, graph, map);
    if (status == WEFT_OK && e->recalls)
        status = weft_recalls_finish(e->recalls, e->graph, e->info, error);
    weft_free(map);
    return status;
}

weft_status weft_graph_expand(const struct weft_graph *graph, struct weft_recalls *recalls, struct weft_expanded *expanded,
                              weft_error *error) {
    struct expansion plain = {.recalls = recalls};
    weft_status status = expand(&plain, graph, recalls->inputs, error);
    *expanded = (struct weft_expanded){plain.graph, plain.info};
    if (status != WEFT_OK)
        weft_expanded_clear(expanded);
    return status;
}

weft_status weft_graph_cheapen(const struct weft_expanded *expanded, const weft_image_info *inputs, weft_keeps *keeps,
                               const struct weft_device *device, struct weft_graph **cheap, weft_error *error) {
    struct expansion forms = {.from = expanded->graph, .from_info = expanded->info, .keeps = keeps, .device = device};
    weft_status status = expand(&forms, expanded->graph, inputs, error);
    weft_free(forms.info);
    if (status != WEFT_OK)
        weft_graph_destroy(&forms.graph);
    *cheap = forms.graph;
    return status;
}

void weft_expanded_clear(struct weft_expanded *expanded) {
    weft_graph_destroy(&expanded->graph);
    weft_free(expanded->info);
    *expanded = (struct weft_expanded){.graph = NULL};
}

weft_status weft_graph_flatten(const weft_graph *graph, const weft_image_info *inputs, int32_t count, weft_graph **flat,
                               weft_error *error) {
    struct expansion plain = {0};
    if (flat)
        *flat = NULL;
    if (!graph || !flat || (count > 0 && !inputs))
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "weft_graph_flatten needs a graph, images and where to put the other graph");
    weft_status status = weft_graph_validate_for(graph, inputs, count, error);
    if (status == WEFT_OK)
        status = expand(&plain, graph, inputs, error);
    if (status != WEFT_OK) {
        weft_graph_destroy(&plain.graph);
    } else {
        plain.graph->catalog = graph->catalog; /* whose filters it may have */
        weft_catalog_hold(graph->catalog);
    }
    weft_free(plain.info);
    *flat = plain.graph;
    return status;
}
