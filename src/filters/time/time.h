/* SPDX-License-Identifier: MIT
 * What filters of time share: the steps of their graphs. */
#ifndef FILTERS_TIME_H
#define FILTERS_TIME_H
#include "filter/help/subgraph.h"

/* The image of `frames` frames ago of `input`, or of what is given to weft_graph_keep later. */
static inline weft_status delay(weft_graph *graph, weft_node input, int32_t frames, weft_node *node, weft_error *error) {
    return SUBGRAPH_ADD("frame_delay", &input, 1, node, {"frames", frames});
}

/* The mean of the present frame and what it made before, which counts `strength`. */
static inline weft_status smooth(weft_graph *graph, weft_node input, double strength, double threshold, weft_node *node,
                                 weft_error *error) {
    weft_node pair[2] = {input, -1};
    if (strength == 0) {
        *node = input;
        return WEFT_OK;
    }
    weft_status status = delay(graph, input, 1, &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("frame_mix", pair, 2, node, {"strength", strength}, {"threshold", threshold});
    return status == WEFT_OK ? weft_graph_keep(graph, pair[1], *node, error) : status;
}

#endif
