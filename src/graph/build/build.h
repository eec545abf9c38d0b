/* SPDX-License-Identifier: MIT
 * What the files that build graphs share. */
#ifndef GRAPH_BUILD_BUILD_H
#define GRAPH_BUILD_BUILD_H
#include "graph/graph.h"

/* Fails since an argument is missing. */
weft_status weft_graph_fail_argument(weft_error *error, const char *what);
/* Appends a node with what it owns; on failure that stays the caller's. */
weft_status weft_graph_append_node(struct weft_graph *graph, struct weft_graph_node added, weft_node *node, weft_error *error);

#endif
