/* SPDX-License-Identifier: MIT
 * Step 4 of planning: conversions that the filters need become nodes of their own, so that they fuse like any other
 * point filter. An image keeps the form in which it was made (after a blur premultiplied, after color arithmetic
 * straight) until someone needs another; an output gets back the form that the user declared. Filters that keep the
 * image are left out, since conversions there and back would not: what is hidden under an alpha of 0 has no
 * premultiplied form. Filters whose parameters may come to keep it between runs take a form that has room for it. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "graph/typed.h"

/* The form in which a node's image really is, while its info says what the user sees. */
struct form {
    weft_alpha alpha;
    weft_space space;
    bool hidden; /* premultiplied, and hidden pixels weigh something (filter/help/hidden.h); where wanted: may be so */
};

struct converter {
    struct weft_graph *graph;
    weft_image_info *info; /* of graph's nodes, as they really are */
    bool *hidden;          /* whether hidden pixels of theirs weigh something */
    int32_t capacity;
    const struct weft_graph_node *for_node; /* whom the conversions serve */
};

/* `hidden`: of what the node reads; without alpha nothing is hidden. */
static weft_status remember(struct converter *c, weft_node node, const weft_image_info *info, bool hidden,
                            weft_error *error) {
    if (node >= c->capacity) {
        int32_t capacity = (node + 1) * 2;
        weft_image_info *grown = weft_reallocate(c->info, (size_t)capacity, sizeof *grown);
        if (grown)
            c->info = grown;
        bool *more = weft_reallocate(c->hidden, (size_t)capacity, sizeof *more);
        if (more)
            c->hidden = more;
        if (!grown || !more)
            return weft_fail_memory(error, (size_t)capacity * sizeof *grown, "the graph");
        c->capacity = capacity;
    }
    c->info[node] = *info;
    c->hidden[node] = hidden && info->alpha == WEFT_ALPHA_PREMULTIPLIED;
    return WEFT_OK;
}

/* Puts the filter of a role behind *node, or behind that and a second image. */
static weft_status join(struct converter *c, enum weft_role role, weft_node *node, weft_node second,
                        weft_error *error) {
    const struct weft_filter *filter = weft_registry_role(role);
    weft_node inputs[2] = {*node, second};
    weft_image_info before[2] = {c->info[*node], c->info[second]}, after;
    bool drops = role == WEFT_ROLE_DROP_HIDDEN || role == WEFT_ROLE_UNPREMULTIPLY_HIDDEN;
    bool hidden = role == WEFT_ROLE_PREMULTIPLY_HIDDEN || (!drops && (c->hidden[*node] || c->hidden[second]));
    weft_status status;
    if (!filter)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "no filter has conversion role %d", (int)role);
    status = weft_graph_append(c->graph, filter, inputs, filter->info.inputs, node, error);
    if (status != WEFT_OK)
        return status;
    struct weft_graph_node *added = &c->graph->nodes[*node];
    added->origin = c->for_node ? c->for_node->origin : -1;
    status = weft_node_infer(added, before, &after, error);
    return status == WEFT_OK ? remember(c, *node, &after, hidden, error) : status;
}
static weft_status insert(struct converter *c, enum weft_role role, weft_node *node, weft_error *error) {
    return join(c, role, node, *node, error);
}

/* Brings *node to a form; an image without alpha is in every form of alpha. */
static weft_status bring(struct converter *c, weft_node *node, struct form want, weft_error *error) {
    weft_status status = WEFT_OK;
    if (c->info[*node].format.type == WEFT_F64) /* numbers are no colors */
        return WEFT_OK;
    bool has_alpha = c->info[*node].alpha != WEFT_ALPHA_NONE;
    bool respace = c->info[*node].space != want.space, hidden = c->hidden[*node];
    /* Transfer curves are for straight colors. */
    if (has_alpha && c->info[*node].alpha == WEFT_ALPHA_PREMULTIPLIED && (respace || want.alpha == WEFT_ALPHA_STRAIGHT))
        status = insert(c, hidden ? WEFT_ROLE_UNPREMULTIPLY_HIDDEN : WEFT_ROLE_UNPREMULTIPLY, node, error);
    else if (hidden && !want.hidden)
        status = insert(c, WEFT_ROLE_DROP_HIDDEN, node, error);
    if (status == WEFT_OK && respace)
        status = insert(c, want.space == WEFT_SPACE_LINEAR ? WEFT_ROLE_DECODE : WEFT_ROLE_ENCODE, node, error);
    if (status == WEFT_OK && has_alpha && want.alpha == WEFT_ALPHA_PREMULTIPLIED &&
        c->info[*node].alpha == WEFT_ALPHA_STRAIGHT)
        status = insert(c, want.hidden ? WEFT_ROLE_PREMULTIPLY_HIDDEN : WEFT_ROLE_PREMULTIPLY, node, error);
    return status;
}

/* The form in which a filter wants its input i, which the user sees as `declared`. */
static struct form wanted(const struct weft_graph_node *node, int32_t i, const weft_image_info *declared,
                          struct form actual) {
    struct form want = {declared->alpha, declared->space, false};
    const struct weft_filter *filter = node->filter;
    if (filter->kind == WEFT_KIND_LOOKUP && i == 1) /* a table's numbers mean what they are */
        return want;
    enum weft_alpha_need need =
        filter->moves && filter->moves(node->block) ? WEFT_NEED_ANY : weft_filter_need(filter, node->block);
    bool moves = filter->kind == WEFT_KIND_RESAMPLE || filter->kind == WEFT_KIND_WARP;
    /* What a constant border adds is a straight color. */
    bool adds = moves && weft_filter_border(filter, node->block) == WEFT_BORDER_CONSTANT;
    if (need == WEFT_NEED_STRAIGHT || (need == WEFT_NEED_ANY && adds))
        want.alpha = WEFT_ALPHA_STRAIGHT;
    else if (need == WEFT_NEED_PREMULTIPLIED || need == WEFT_NEED_HIDDEN)
        want.alpha = WEFT_ALPHA_PREMULTIPLIED, want.hidden = need == WEFT_NEED_HIDDEN;
    else if (moves)
        want.alpha = actual.alpha, want.hidden = actual.hidden;
    if (node->space == WEFT_SPACE_LINEAR && filter->role == WEFT_ROLE_NONE)
        want.space = WEFT_SPACE_LINEAR;
    return want;
}

/* Whether a filter that copies alpha, but has no way to do so, is to be without it. */
static bool removes_alpha(const struct converter *c, const struct weft_graph_node *node, weft_node input) {
    const struct weft_filter *filter = node->filter;
    return c->info[input].alpha != WEFT_ALPHA_NONE && filter->kind == WEFT_KIND_SEPARABLE &&
           weft_filter_copies_alpha(filter, node->block);
}

static weft_status convert_node(struct converter *c, const struct weft_graph_node *node, const weft_node *map,
                                const weft_image_info *declared, weft_node *result, weft_error *error) {
    const struct weft_filter *filter = node->filter;
    weft_node inputs[WEFT_NODE_INPUTS], with_alpha = -1;
    weft_image_info info[WEFT_NODE_INPUTS], after;
    weft_status status = WEFT_OK;
    bool hidden = false;
    c->for_node = node;
    for (int32_t i = 0; status == WEFT_OK && i < filter->info.inputs; i++) {
        inputs[i] = map[node->inputs[i]];
        struct form actual = {c->info[inputs[i]].alpha, c->info[inputs[i]].space, c->hidden[inputs[i]]};
        status = bring(c, &inputs[i], wanted(node, i, &declared[node->inputs[i]], actual), error);
        if (status == WEFT_OK && filter->luminance && weft_color_channels(&c->info[inputs[i]]) >= 3)
            status = insert(c, WEFT_ROLE_LUMINANCE, &inputs[i], error);
        if (status == WEFT_OK && removes_alpha(c, node, inputs[i])) {
            with_alpha = inputs[i];
            status = insert(c, WEFT_ROLE_ALPHA_REMOVE, &inputs[i], error);
        }
        if (status == WEFT_OK)
            info[i] = c->info[inputs[i]], hidden = hidden || c->hidden[inputs[i]];
    }
    if (status == WEFT_OK)
        status = weft_graph_append(c->graph, filter, inputs, filter->info.inputs, result, error);
    if (status != WEFT_OK)
        return status;
    struct weft_graph_node *copy = &c->graph->nodes[*result];
    void *block = weft_block_copy(filter, node->block);
    if (!block)
        return weft_fail_memory(error, filter->block_size, "parameters");
    weft_block_destroy(filter, copy->block);
    copy->block = block;
    copy->origin = node->origin;
    copy->offset = node->offset, copy->length = node->length;
    copy->kept = node->kept;
    status = weft_node_infer(copy, info, &after, error);
    if (status == WEFT_OK)
        status = remember(c, *result, &after, hidden, error);
    return status == WEFT_OK && with_alpha >= 0 ? join(c, WEFT_ROLE_ALPHA_COPY, result, with_alpha, error) : status;
}

/* Bindings read numbers as the user sees them: the bound images in the form that the user declared, from[i] of binding
 * i. They come before the node that reads them. */
static weft_status bring_bound(struct converter *c, const struct weft_graph_node *node, const weft_node *map,
                               const weft_image_info *declared, weft_node *from, weft_error *error) {
    weft_status status = WEFT_OK;
    c->for_node = node;
    for (int32_t i = 0; status == WEFT_OK && i < node->binding_count; i++) {
        const weft_image_info *seen = &declared[node->bindings[i].from];
        from[i] = map[node->bindings[i].from];
        status = bring(c, &from[i], (struct form){seen->alpha, seen->space, false}, error);
    }
    return status;
}

static weft_status convert_bindings(struct converter *c, const struct weft_graph_node *node, const weft_node *from,
                                    weft_node result, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < node->binding_count; i++) {
        const struct weft_binding *b = &node->bindings[i];
        const weft_image_info *info = &c->info[from[i]];
        uint64_t numbers = (uint64_t)info->width * (uint64_t)info->height * (uint64_t)info->format.channels;
        /* One number serves for all of a color. */
        int32_t index = numbers == 1 && b->index == b->component ? 0 : b->index;
        if ((uint64_t)index >= numbers) {
            status =
                weft_fail(error, WEFT_ERROR_PARAMETER, "%s: number %d is asked of an image that has %llu",
                          node->filter->parameters[b->parameter].info.name, (int)b->index, (unsigned long long)numbers);
            if (error) {
                weft_error_at(error, node->origin, node->filter->info.name,
                              node->filter->parameters[b->parameter].info.name);
                error->offset = node->offset, error->length = node->length;
            }
        } else {
            status = weft_graph_bind_number(c->graph, result, b->parameter, b->component, from[i], index, b->scale, error);
        }
    }
    return status;
}

/* One filter of the graph, with the conversions that it needs before it. */
static weft_status convert_filter(struct converter *c, const struct weft_graph_node *node, const weft_node *map,
                                  const weft_image_info *declared, weft_node *result, weft_error *error) {
    bool same = false;
    if (node->binding_count == 0 && node->filter->info.inputs == 1) {
        weft_status looked = weft_graph_is_identity(node, &declared[node->inputs[0]], &same, error);
        *result = same ? map[node->inputs[0]] : -1;
        if (looked != WEFT_OK || same)
            return looked;
    }
    weft_node *from = weft_allocate((size_t)node->binding_count, sizeof *from);
    if (!from)
        return weft_fail_memory(error, (size_t)node->binding_count * sizeof *from, "bindings");
    weft_status status = bring_bound(c, node, map, declared, from, error);
    if (status == WEFT_OK)
        status = convert_node(c, node, map, declared, result, error);
    if (status == WEFT_OK)
        status = convert_bindings(c, node, from, *result, error);
    weft_free(from);
    return status;
}

weft_status weft_graph_convert(const struct weft_graph *graph, const weft_image_info *inputs,
                               struct weft_typed_graph *typed, weft_error *error) {
    size_t count = (size_t)graph->count;
    weft_image_info *declared = weft_allocate(count, sizeof *declared);
    weft_node *map = weft_allocate(count, sizeof *map);
    struct converter c = {0};
    weft_status status = weft_graph_create(&c.graph, error);
    if (status == WEFT_OK && (!declared || !map))
        status = weft_fail_memory(error, count * sizeof *declared, "the graph");
    if (status == WEFT_OK)
        status = weft_graph_infer(graph, inputs, declared, error);
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        if (!node->filter) {
            status = weft_graph_input(c.graph, &map[n], error);
            if (status == WEFT_OK)
                status = remember(&c, map[n], &declared[n], false, error);
        } else {
            status = convert_filter(&c, node, map, declared, &map[n], error);
        }
    }
    c.for_node = NULL;
    for (int32_t i = 0; status == WEFT_OK && i < graph->output_count; i++) {
        weft_node node = map[graph->outputs[i]];
        const weft_image_info *seen = &declared[graph->outputs[i]];
        status = bring(&c, &node, (struct form){seen->alpha, seen->space, false}, error);
        if (status == WEFT_OK)
            status = weft_graph_output(c.graph, node, error);
    }
    weft_free(declared);
    weft_free(map);
    weft_free(c.hidden);
    if (status == WEFT_OK) {
        typed->graph = c.graph;
        typed->info = c.info;
        typed->output_count = c.graph->output_count;
    } else {
        weft_graph_destroy(&c.graph);
        weft_free(c.info);
    }
    return status;
}

void weft_typed_graph_clear(struct weft_typed_graph *typed) {
    weft_graph_destroy(&typed->graph);
    weft_free(typed->info);
    weft_free(typed->output_types);
    *typed = (struct weft_typed_graph){0};
}
