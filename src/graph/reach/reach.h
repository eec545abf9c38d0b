/* SPDX-License-Identifier: MIT
 * How far from an output pixel the graph looks. */
#ifndef GRAPH_REACH_REACH_H
#define GRAPH_REACH_REACH_H
#include "graph/typed.h"
#include "weft/plan.h"

/* What output `output` looks at of the input that `input` numbers. */
weft_status weft_graph_reach(const struct weft_typed_graph *typed, int32_t output, int32_t input, weft_reach *reach,
                             weft_error *error);

#endif
