/* SPDX-License-Identifier: MIT
 * Which label means which image. Labels may be used before the chain that makes them, and more than once. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "graph/parse.h"

/* The number of the input that a label means ("0", "in", "in0"), -1 when it is no input's; at most WEFT_INPUT_LIMIT. */
static int32_t input_of(const struct parser *parser, struct syntax_span label) {
    const char *text = parser->syntax.text + label.offset;
    int64_t i = label.length >= 2 && memcmp(text, "in", 2) == 0 ? 2 : 0;
    int32_t index = 0;
    if (label.length == 0)
        return -1;
    for (; i < label.length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        index = index * 10 + (text[i] - '0');
        if (index > WEFT_INPUT_LIMIT)
            index = WEFT_INPUT_LIMIT;
    }
    return index;
}

static int compare_names(const struct definition *a, const struct definition *b) {
    int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}
static int compare_definitions(const void *a, const void *b) {
    const struct definition *x = a, *y = b;
    int order = compare_names(x, y);
    return order ? order : (x->span.offset > y->span.offset) - (x->span.offset < y->span.offset);
}

/* Collects the labels that filters make. */
static weft_status define_labels(struct parser *parser) {
    const struct syntax *syntax = &parser->syntax;
    struct syntax_span twice = {INT64_MAX, 0};
    parser->definitions = weft_allocate((size_t)syntax->label_count, sizeof *parser->definitions);
    if (!parser->definitions)
        return weft_fail_memory(parser->error, (size_t)syntax->label_count * sizeof *parser->definitions, "labels");
    for (int32_t f = 0; f < syntax->filter_count; f++) {
        const struct syntax_filter *filter = &syntax->filters[f];
        for (int32_t i = 0; i < filter->outputs; i++) {
            struct syntax_span span = syntax->labels[filter->first_output + i];
            if (input_of(parser, span) >= 0)
                FAIL_AT(parser, span, "[%s] is an input of the graph, a filter cannot make it");
            if (filter->word != SYNTAX_SPLIT && i > 0)
                FAIL_AT(parser, span, "a filter makes one image, so [%s] is one label too many: split copies an image");
            parser->definitions[parser->definition_count++] = (struct definition){
                .name = syntax->text + span.offset, .length = (size_t)span.length, .span = span, .filter = f};
        }
        int32_t copies = filter->outputs + (filter->continues || filter->outputs == 0);
        if (filter->copies > 0 && filter->copies != copies) {
            weft_fail(parser->error, WEFT_ERROR_GRAPH, "split=%d makes %d images, but %d %s taken here", filter->copies,
                      filter->copies, copies, copies == 1 ? "is" : "are");
            return syntax_at(filter->whole, WEFT_ERROR_GRAPH, parser->error);
        }
    }
    if (parser->definition_count > 1)
        qsort(parser->definitions, (size_t)parser->definition_count, sizeof *parser->definitions, compare_definitions);
    for (int32_t i = 1; i < parser->definition_count; i++) {
        const struct definition *definition = &parser->definitions[i];
        if (compare_names(definition - 1, definition) == 0 && definition->span.offset < twice.offset)
            twice = definition->span;
    }
    if (twice.length > 0)
        FAIL_AT(parser, twice, "[%s] is made twice");
    return WEFT_OK;
}

struct definition *parser_definition(const struct parser *parser, struct syntax_span label) {
    struct definition key = {.name = parser->syntax.text + label.offset, .length = (size_t)label.length};
    int32_t low = 0, high = parser->definition_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = compare_names(&key, &parser->definitions[middle]);
        if (order == 0)
            return &parser->definitions[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static weft_status fail_undefined(const struct parser *parser, struct syntax_span label) {
    char quote[WEFT_QUOTE_SIZE], nearest_quote[WEFT_QUOTE_SIZE];
    const char *text = parser->syntax.text + label.offset;
    const struct definition *nearest = NULL;
    int32_t least = WEFT_TEXT_FAR;
    for (int32_t i = 0; i < parser->definition_count; i++) {
        const struct definition *other = &parser->definitions[i];
        int32_t distance = weft_text_distance(text, (size_t)label.length, other->name, other->length);
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    weft_text_quote(quote, text, (size_t)label.length);
    if (nearest)
        weft_fail(parser->error, WEFT_ERROR_GRAPH, "no filter makes [%s]: did you mean [%s]?", quote,
                  weft_text_quote(nearest_quote, nearest->name, nearest->length));
    else
        weft_fail(parser->error, WEFT_ERROR_GRAPH, "no filter makes [%s]", quote);
    return syntax_at(label, WEFT_ERROR_GRAPH, parser->error);
}

static void add_edge(struct parser *parser, struct item *item, int32_t from, struct syntax_span label) {
    parser->edges[parser->edge_count++] = (struct edge){.from = from, .label = label};
    item->edges++;
}

static void take_input(struct parser *parser, int32_t input, struct syntax_span label) {
    parser->taken[input] = true;
    if (input >= parser->input_count) {
        parser->input_count = input + 1;
        parser->last_input = label;
    }
}

/* Adds what a label means. */
static weft_status add_label(struct parser *parser, struct item *item, struct syntax_span label) {
    int32_t input = input_of(parser, label);
    if (input >= WEFT_INPUT_LIMIT)
        FAIL_AT(parser, label, "[%s] is more inputs than a graph can have");
    if (input >= 0) {
        take_input(parser, input, label);
        add_edge(parser, item, -1 - input, label);
        return WEFT_OK;
    }
    struct definition *definition = parser_definition(parser, label);
    if (!definition)
        return fail_undefined(parser, label);
    definition->used = true;
    add_edge(parser, item, definition->filter, label);
    return WEFT_OK;
}

/* Finds what filter f reads. Inputs that no label names are taken in the order of the text. */
static weft_status link_filter(struct parser *parser, int32_t f) {
    const struct syntax *syntax = &parser->syntax;
    const struct syntax_filter *filter = &syntax->filters[f];
    const char *name = syntax_name(filter);
    int32_t wanted = filter->filter ? filter->filter->info.inputs : 1, given = filter->inputs + filter->chained;
    struct item *item = &parser->items[f];
    *item = (struct item){.first_edge = parser->edge_count, .next = -1, .node = -1, .inputs = wanted};
    if (given == 0)
        for (int32_t input = 0; given < wanted && input < WEFT_INPUT_LIMIT; input++)
            if (!parser->taken[input]) {
                take_input(parser, input, filter->name);
                add_edge(parser, item, -1 - input, (struct syntax_span){0, 0});
                given++;
            }
    if (given != wanted) {
        if (wanted == 0)
            weft_fail(parser->error, WEFT_ERROR_GRAPH, "%s takes no input, %d given", name, given);
        else
            weft_fail(parser->error, WEFT_ERROR_GRAPH, "%s takes %d input%s, %d given", name, wanted,
                      wanted == 1 ? "" : "s", given);
        weft_error_at(parser->error, -1, name, NULL);
        return syntax_at(filter->name, WEFT_ERROR_GRAPH, parser->error);
    }
    if (filter->chained)
        add_edge(parser, item, f - 1, (struct syntax_span){0, 0});
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < filter->inputs; i++)
        status = add_label(parser, item, syntax->labels[filter->first_input + i]);
    for (int32_t i = 0; status == WEFT_OK && i < filter->arguments; i++)
        if (syntax->arguments[filter->first_argument + i].bound)
            status = add_label(parser, item, syntax->arguments[filter->first_argument + i].label);
    return status;
}

weft_status parser_link(struct parser *parser) {
    const struct syntax *syntax = &parser->syntax;
    size_t most = (size_t)syntax->label_count + (size_t)syntax->argument_count +
                  (size_t)syntax->filter_count * (WEFT_NODE_INPUTS + 1);
    weft_status status = define_labels(parser);
    if (status != WEFT_OK)
        return status;
    parser->edges = weft_allocate(most, sizeof *parser->edges);
    parser->items = weft_allocate((size_t)syntax->filter_count, sizeof *parser->items);
    if (!parser->edges || !parser->items)
        return weft_fail_memory(parser->error, most * sizeof *parser->edges, "the wiring of a graph");
    for (int32_t f = 0; status == WEFT_OK && f < syntax->filter_count; f++)
        status = link_filter(parser, f);
    for (int32_t i = 0; status == WEFT_OK && i < parser->input_count; i++)
        if (!parser->taken[i]) {
            weft_fail(parser->error, WEFT_ERROR_GRAPH, "the graph has %d inputs by this, but no filter reads [%d]",
                      parser->input_count, i);
            status = syntax_at(parser->last_input, WEFT_ERROR_GRAPH, parser->error);
        }
    return status;
}
