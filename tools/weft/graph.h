/* SPDX-License-Identifier: MIT
 * The graph of a command: its text, from the command line or a file, and what it parses to. */
#ifndef TOOL_GRAPH_H
#define TOOL_GRAPH_H
#include "common/message.h"
#include "options.h"

struct graph {
    weft_graph *graph;
    struct graph_text text; /* for the places in error messages */
    char *owned;            /* text read from a file, or NULL */
};

/* Takes the graph of -f or -g, or of `operand` (which may be NULL) when neither was given, and parses it. Returns
 * EXIT_DONE, or another exit status after a message; the graph is to be closed in any case. */
int graph_open(struct graph *graph, const struct options *options, const char *operand);
void graph_close(struct graph *graph);

/* The one operand of commands that take a graph and nothing else. */
int graph_open_only(struct graph *graph, const struct options *options, const char *command);

#endif
