/* SPDX-License-Identifier: MIT
 * From the syntax of a graph text to a graph: in which order the nodes can be made, their values, and the outputs. */
#include <string.h>
#include "base/memory.h"
#include "graph/parse.h"

static weft_node node_of(const struct parser *parser, int32_t from) {
    return from < 0 ? -1 - from : parser->items[from].node;
}

/* Adds a filter to the graph when all that it reads is there, and gives it its values. */
static weft_status make_node(struct parser *parser, int32_t f) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    struct item *item = &parser->items[f];
    const struct edge *edges = parser->edges + item->first_edge, *binding = edges + item->inputs;
    weft_node inputs[WEFT_NODE_INPUTS] = {0};
    if (filter->word != SYNTAX_FILTER) { /* it is the image itself */
        item->node = node_of(parser, edges[0].from);
        return WEFT_OK;
    }
    for (int32_t i = 0; i < item->inputs && i < WEFT_NODE_INPUTS; i++)
        inputs[i] = node_of(parser, edges[i].from);
    weft_status status =
        weft_graph_append(parser->graph, filter->filter, inputs, item->inputs, &item->node, parser->error);
    if (status != WEFT_OK)
        return syntax_at(filter->name, status, parser->error);
    parser->graph->nodes[item->node].offset = filter->whole.offset;
    parser->graph->nodes[item->node].length = filter->whole.length;
    for (int32_t i = 0; i < filter->arguments; i++) {
        const struct syntax_argument *argument = &parser->syntax.arguments[filter->first_argument + i];
        if (argument->bound)
            status = weft_graph_bind(parser->graph, item->node, argument->parameter, node_of(parser, binding++->from),
                                     argument->index, argument->scale, parser->error);
        else
            status = weft_graph_set_text(parser->graph, item->node, argument->parameter,
                                         parser->syntax.values + argument->text, parser->error);
        if (status != WEFT_OK)
            return syntax_at(argument->value, status, parser->error);
    }
    return WEFT_OK;
}

/* The filters on the stack from `first` up read one another in a circle: names a label of it. */
static weft_status fail_circle(const struct parser *parser, const int32_t *stack, int32_t depth, int32_t first) {
    for (int32_t i = depth - 1; i >= 0; i--) {
        const struct item *item = &parser->items[stack[i]];
        struct syntax_span label = parser->edges[item->first_edge + item->next].label;
        if (label.length > 0)
            FAIL_AT(parser, label, "[%s] is made from itself, in a circle");
        if (stack[i] == first)
            break;
    }
    return weft_fail(parser->error, WEFT_ERROR_INTERNAL, "filters read one another in a circle without a label");
}

/* Makes the nodes in the order of the text, but what a filter reads always before it: a walk in depth with a stack of
 * its own. */
static weft_status make_nodes(struct parser *parser) {
    int32_t count = parser->syntax.filter_count, *stack = weft_allocate((size_t)count, sizeof *stack);
    weft_status status = stack ? WEFT_OK : weft_fail_memory(parser->error, (size_t)count * sizeof *stack, "a stack");
    for (int32_t i = 0; status == WEFT_OK && i < parser->input_count; i++)
        status = weft_graph_input(parser->graph, NULL, parser->error);
    for (int32_t f = 0; status == WEFT_OK && f < count; f++) {
        int32_t depth = 0;
        if (parser->items[f].next < 0)
            stack[depth++] = f;
        while (status == WEFT_OK && depth > 0) {
            struct item *item = &parser->items[stack[depth - 1]];
            if (++item->next == item->edges) {
                status = make_node(parser, stack[--depth]);
                continue;
            }
            int32_t from = parser->edges[item->first_edge + item->next].from;
            if (from < 0 || parser->items[from].next == parser->items[from].edges)
                continue;
            if (parser->items[from].next >= 0)
                status = fail_circle(parser, stack, depth, from);
            else
                stack[depth++] = from;
        }
    }
    weft_free(stack);
    return status;
}

/* Marks the output that was made last where filter f is the color_profile of one. */
static weft_status mark_output(struct parser *parser, int32_t f) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    if (filter->word != SYNTAX_PROFILE || parser_profile_reads(parser, f))
        return WEFT_OK;
    const struct weft_graph_profile profile = {.wanted = parser_profile_wanted(parser, f),
                                               .end = -parser->graph->output_count,
                                               .offset = filter->whole.offset,
                                               .length = filter->whole.length};
    return weft_graph_add_profile(parser->graph, &profile, parser->error);
}

static weft_status make_output(struct parser *parser, int32_t f, struct syntax_span label, size_t *used) {
    struct weft_graph *graph = parser->graph;
    size_t length = (size_t)label.length;
    weft_status status = weft_graph_output(graph, parser->items[f].node, parser->error);
    if (status == WEFT_OK)
        status = mark_output(parser, f);
    if (status != WEFT_OK)
        return status;
    char *labels = weft_reallocate(graph->labels, *used + length + 1, 1);
    if (!labels)
        return weft_fail_memory(parser->error, *used + length + 1, "the labels of outputs");
    if (length > 0)
        memcpy(labels + *used, parser->syntax.text + label.offset, length);
    labels[*used + length] = 0;
    *used += length + 1;
    graph->labels = labels;
    graph->labeled++;
    return WEFT_OK;
}

/* Labels that no one reads and ends of chains without a label are the outputs. */
static weft_status make_outputs(struct parser *parser) {
    const struct syntax *syntax = &parser->syntax;
    weft_status status = WEFT_OK;
    size_t used = 0;
    for (int32_t f = 0; status == WEFT_OK && f < syntax->filter_count; f++) {
        const struct syntax_filter *filter = &syntax->filters[f];
        for (int32_t i = 0; status == WEFT_OK && i < filter->outputs; i++)
            if (!parser_definition(parser, syntax->labels[filter->first_output + i])->used)
                status = make_output(parser, f, syntax->labels[filter->first_output + i], &used);
        if (status == WEFT_OK && filter->outputs == 0 && !filter->continues)
            status = make_output(parser, f, (struct syntax_span){0, 0}, &used);
    }
    return status;
}

weft_status weft_graph_parse(const char *text, size_t length, weft_graph **graph, weft_error *error) {
    return weft_catalog_parse(NULL, text, length, graph, error);
}

weft_status weft_catalog_parse(const weft_catalog *catalog, const char *text, size_t length, weft_graph **graph,
                               weft_error *error) {
    if (!graph || !text) {
        if (graph)
            *graph = NULL;
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s is NULL", graph ? "text" : "graph");
    }
    struct parser parser = {.error = error};
    weft_status status = weft_catalog_graph(catalog, graph, error);
    parser.graph = *graph;
    if (status == WEFT_OK)
        status = syntax_read(&parser.syntax, catalog, text, length, error);
    if (status == WEFT_OK)
        status = parser_link(&parser);
    if (status == WEFT_OK)
        status = make_nodes(&parser);
    if (status == WEFT_OK)
        status = parser_mark_profiles(&parser);
    if (status == WEFT_OK)
        status = make_outputs(&parser);
    if (status == WEFT_OK)
        status = weft_graph_validate(*graph, error);
    if (status != WEFT_OK)
        weft_graph_destroy(graph);
    syntax_free(&parser.syntax);
    weft_free(parser.definitions);
    weft_free(parser.edges);
    weft_free(parser.items);
    return status;
}
