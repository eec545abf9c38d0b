/* SPDX-License-Identifier: MIT
 * What follows a point filter that makes the colors of a screen transparent: the edge of its matte drawn in, and the matte
 * alone where that is wanted. */
#ifndef FILTERS_KEY_EDGE_GRAPH_H
#define FILTERS_KEY_EDGE_GRAPH_H
#include "filter/help/subgraph.h"

#define SHRINK_PARAM INT(shrink, 0, 0, 10000, "px", "draw the edge of the matte in by this much")
#define OUTPUT_PARAM CHOICE(output, 0, "image|matte", "matte: the matte alone, in grey")

static inline weft_status key_edge(weft_graph *graph, weft_node keyed, int32_t shrink, bool matte, weft_node *result,
                                   weft_error *error) {
    weft_node pair[2] = {keyed, keyed};
    weft_status status = WEFT_OK;
    *result = keyed;
    if (shrink > 0 || matte)
        status = weft_graph_add(graph, "alpha_extract", &keyed, 1, result, error);
    pair[1] = *result;
    if (status == WEFT_OK && shrink > 0)
        status = SUBGRAPH_ADD("erode", &pair[1], 1, result, {"radius", shrink});
    pair[1] = *result;
    if (status == WEFT_OK && shrink > 0 && !matte)
        status = weft_graph_add(graph, "alpha_combine", pair, 2, result, error);
    return status;
}

#endif
