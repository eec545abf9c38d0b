/* SPDX-License-Identifier: MIT
 * A graph text on its way from syntax to nodes. */
#ifndef GRAPH_PARSE_H
#define GRAPH_PARSE_H
#include "base/status.h"
#include "base/text.h"
#include "graph/syntax.h"

/* A label that a filter makes. */
struct definition {
    const char *name;
    size_t length;
    struct syntax_span span;
    int32_t filter;
    bool used;
};

/* What a filter reads: the image of filter `from`, or of input -1 - from. Without a label it is the chain's, or an
 * input that no one had taken. The inputs of a filter come first, then the images that its values come from. */
struct edge {
    int32_t from;
    struct syntax_span label; /* length 0 without one */
};

struct item {
    int32_t first_edge, edges, inputs;
    int32_t next; /* while ordering: the edge that is looked at; -1 before, `edges` when done */
    weft_node node;
};

struct parser {
    struct syntax syntax;
    struct definition *definitions; /* in order of name */
    int32_t definition_count;
    struct edge *edges;
    int32_t edge_count;
    struct item *items;
    bool taken[WEFT_INPUT_LIMIT];
    int32_t input_count;
    struct syntax_span last_input; /* the label that gave input_count */
    weft_graph *graph;
    weft_error *error;
};

/* Fails at a place, with the text there in the message; `format` has one %s. */
#define FAIL_AT(parser, place, format)                                                                                 \
    do {                                                                                                               \
        char quote_[WEFT_QUOTE_SIZE];                                                                                  \
        weft_fail((parser)->error, WEFT_ERROR_GRAPH, format,                                                           \
                  weft_text_quote(quote_, (parser)->syntax.text + (place).offset, (size_t)(place).length));            \
        return syntax_at(place, WEFT_ERROR_GRAPH, (parser)->error);                                                    \
    } while (0)

/* link.c: finds what every filter reads; fills definitions, edges and items. */
weft_status parser_link(struct parser *parser);
/* The label that a filter makes, NULL when there is none of that name. */
struct definition *parser_definition(const struct parser *parser, struct syntax_span label);

/* parse_profiles.c: marks the inputs of the graph that are brought to a color profile, and checks that the rest is for
 * outputs. For graphs that have no circle. */
weft_status parser_mark_profiles(struct parser *parser);
/* Whether color_profile `f` is for the input that it reads, not for an output. */
bool parser_profile_reads(const struct parser *parser, int32_t f);
/* What it brings colors to: good as long as the parser is. */
const char *parser_profile_wanted(const struct parser *parser, int32_t f);

#endif
