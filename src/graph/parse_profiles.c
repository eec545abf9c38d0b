/* SPDX-License-Identifier: MIT
 * color_profile in a graph text: which input it stands behind, or which output it stands before. Its node is that of what it reads,
 * as a copy's is. */
#include "base/memory.h"
#include "graph/parse.h"

/* What an edge reads behind copies: a filter, a color_profile, or input -1 - from. */
static int32_t behind_copies(const struct parser *parser, int32_t from) {
    while (from >= 0 && parser->syntax.filters[from].word == SYNTAX_SPLIT)
        from = parser->edges[parser->items[from].first_edge].from;
    return from;
}

const char *parser_profile_wanted(const struct parser *parser, int32_t f) {
    const int64_t value = parser->syntax.filters[f].profile;
    return value < 0 ? "srgb" : parser->syntax.values + value;
}

/* Whether an end of it is an output of the graph, and whether something reads it. */
static bool is_output(const struct parser *parser, int32_t f) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    bool output = filter->outputs == 0 && !filter->continues;
    for (int32_t i = 0; i < filter->outputs; i++)
        output = output || !parser_definition(parser, parser->syntax.labels[filter->first_output + i])->used;
    return output;
}
static bool is_read(const struct parser *parser, int32_t f) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    bool read = filter->continues;
    for (int32_t i = 0; i < filter->outputs; i++)
        read = read || parser_definition(parser, parser->syntax.labels[filter->first_output + i])->used;
    return read;
}

/* Alone between the first input and an output it belongs to the output: other outputs may then have the input as it is. */
bool parser_profile_reads(const struct parser *parser, int32_t f) {
    const int32_t from = behind_copies(parser, parser->edges[parser->items[f].first_edge].from);
    return from < -1 || (from == -1 && is_read(parser, f));
}

/* Inputs that something reads as they are: a filter, a color_profile of an output, or an output itself. */
static void find_plain(const struct parser *parser, bool *plain) {
    for (int32_t f = 0; f < parser->syntax.filter_count; f++) {
        const struct item *item = &parser->items[f];
        const enum syntax_word word = parser->syntax.filters[f].word;
        if ((word == SYNTAX_SPLIT && !is_output(parser, f)) || (word == SYNTAX_PROFILE && parser_profile_reads(parser, f)))
            continue;
        for (int32_t i = 0; i < item->edges; i++) {
            const int32_t from = behind_copies(parser, parser->edges[item->first_edge + i].from);
            if (from < 0)
                plain[-1 - from] = true;
        }
    }
}

static weft_status mark_input(const struct parser *parser, int32_t f, const bool *plain) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    const int32_t input = -1 - behind_copies(parser, parser->edges[parser->items[f].first_edge].from);
    const struct weft_graph_profile profile = {.wanted = parser_profile_wanted(parser, f),
                                               .end = input,
                                               .offset = filter->whole.offset,
                                               .length = filter->whole.length};
    if (plain[input]) {
        weft_fail(parser->error, WEFT_ERROR_GRAPH,
                  "input %d is also read as it is: bring it to the profile once, and copy it then, as in "
                  "[%d]" WEFT_COLOR_PROFILE ",split[a][b]",
                  (int)input, (int)input);
        return syntax_at(filter->whole, WEFT_ERROR_GRAPH, parser->error);
    }
    return weft_graph_add_profile(parser->graph, &profile, parser->error);
}

/* A color_profile that is not read by a file must be written by one, and nothing else may take what it makes. */
static weft_status check_output(const struct parser *parser, int32_t f) {
    const struct syntax_filter *filter = &parser->syntax.filters[f];
    if (!is_read(parser, f))
        return WEFT_OK;
    weft_fail(parser->error, WEFT_ERROR_GRAPH,
              WEFT_COLOR_PROFILE " stands first, at an input, or last, at an output: files bring their colors to a profile as they "
                                 "are read and written, and between filters pixels have none");
    return syntax_at(filter->whole, WEFT_ERROR_GRAPH, parser->error);
}

weft_status parser_mark_profiles(struct parser *parser) {
    bool *plain = weft_allocate((size_t)parser->input_count + 1, sizeof *plain);
    weft_status status = plain ? WEFT_OK : weft_fail_memory(parser->error, (size_t)parser->input_count + 1, "marks on a graph");
    if (status == WEFT_OK)
        find_plain(parser, plain);
    for (int32_t f = 0; status == WEFT_OK && f < parser->syntax.filter_count; f++)
        if (parser->syntax.filters[f].word == SYNTAX_PROFILE)
            status = parser_profile_reads(parser, f) ? mark_input(parser, f, plain) : check_output(parser, f);
    weft_free(plain);
    return status;
}
