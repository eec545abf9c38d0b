/* SPDX-License-Identifier: MIT
 * Graph text as it stands: filters in order, with their labels and arguments, each with its place. Names of filters and
 * parameters are looked up here already, so that mistakes are reported in the order of the text; what labels mean is
 * for parse.c. */
#ifndef GRAPH_SYNTAX_H
#define GRAPH_SYNTAX_H
#include "graph/graph.h"

#define WEFT_TEXT_LIMIT (1 << 20) /* bytes of graph text */
#define WEFT_FILTER_LIMIT 10000   /* filters in a graph text */
#define WEFT_INPUT_LIMIT 1000     /* inputs of a graph from text */

/* A part of the text. */
struct syntax_span {
    int64_t offset, length;
};

/* One value of a filter. */
struct syntax_argument {
    const char *parameter;    /* its name */
    struct syntax_span value; /* where the value stands, for errors */
    size_t text;              /* where it begins, without quotes and escapes, in syntax->values; a 0 ends it */
    bool bound;               /* @label[index]*scale instead of a value */
    struct syntax_span label;
    int32_t index;
    double scale;
};

/* What stands where a filter may: one, or a word of the language itself. */
enum syntax_word { SYNTAX_FILTER, SYNTAX_SPLIT, SYNTAX_PROFILE };

struct syntax_filter {
    enum syntax_word word;
    const struct weft_filter *filter; /* NULL for a word */
    struct syntax_span name, whole;   /* whole: the name and the values */
    int32_t first_input, inputs;      /* labels before it, in syntax->labels */
    int32_t first_output, outputs;    /* labels after it */
    int32_t first_argument, arguments;
    int32_t copies;  /* of 'split', 0 when not given */
    int64_t profile; /* of 'color_profile': where its value begins in syntax->values; -1 when not given */
    bool chained;   /* takes the image of the filter before it */
    bool continues; /* the next filter takes its image */
};

struct syntax {
    const weft_catalog *catalog; /* of filters beside weft's own, or NULL */
    const char *text;
    int64_t length;
    struct syntax_filter *filters;
    struct syntax_span *labels;
    struct syntax_argument *arguments;
    char *values;
    size_t values_used;
    int32_t filter_count, filter_capacity;
    int32_t label_count, label_capacity;
    int32_t argument_count, argument_capacity;
};

/* Reads a text into `syntax`, which must be zero; the caller frees it in any case. */
weft_status syntax_read(struct syntax *syntax, const weft_catalog *catalog, const char *text, size_t length,
                        weft_error *error);
void syntax_free(struct syntax *syntax);
/* The name of what stands where a filter may. */
const char *syntax_name(const struct syntax_filter *filter);

/* ---- syntax_value.c */

/* Reads the value of a parameter that starts at *at (NULL when it is no parameter's), up to the mark that
 * ends it. */
weft_status syntax_read_value(struct syntax *syntax, int64_t *at, const char *parameter,
                              struct syntax_argument *argument, weft_error *error);

/* The first place from `at` that is neither blank nor in a comment. */
int64_t syntax_skip_blank(const struct syntax *syntax, int64_t at);
/* The end of the name that starts at `at`: all up to a blank or a mark of the grammar. */
int64_t syntax_name_end(const struct syntax *syntax, int64_t at);
/* The end of the label that starts at `at`: letters, digits, '_', '-', '.'. */
int64_t syntax_label_end(const struct syntax *syntax, int64_t at);
/* The character at `at`, or the last one of the text, for an error to point at. */
struct syntax_span syntax_here(const struct syntax *syntax, int64_t at);
/* Adds the place to an error, and returns its status. */
weft_status syntax_at(struct syntax_span place, weft_status status, weft_error *error);

#endif
