/* SPDX-License-Identifier: MIT
 * Parses a graph's text, and checks that the status, the error and the graph agree. */
#ifndef PARSE_GRAPH_H
#define PARSE_GRAPH_H
#include <string.h>
#include "check.h"
#include "graph/graph.h"

static weft_graph *parse(const char *text, weft_error *error) {
    weft_graph *graph = NULL;
    *error = (weft_error){.status = WEFT_OK};
    weft_status status = weft_graph_parse(text, strlen(text), &graph, error);
    CHECK((status == WEFT_OK) == (graph != NULL));
    CHECK(status == error->status);
    return graph;
}

#endif
