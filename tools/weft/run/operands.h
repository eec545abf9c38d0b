/* SPDX-License-Identifier: MIT
 * Which of the arguments of weft run is the graph, which are its inputs and which its outputs, and
 * whether they are patterns. */
#ifndef TOOL_OPERANDS_H
#define TOOL_OPERANDS_H
#include "graph.h"

struct operands {
    char **inputs;
    const char *const *outputs;
    int input_count, output_count;
    bool batch; /* inputs or outputs are patterns: the graph is run many times */
};

/* Sorts the operands and opens the graph. Returns EXIT_DONE, or another exit status after a message; the graph is to be
 * closed in any case. */
int operands_read(struct operands *operands, struct graph *graph, const struct options *options);

#endif
