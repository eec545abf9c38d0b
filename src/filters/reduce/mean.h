/* SPDX-License-Identifier: MIT
 * Adds the mean of an image, in which colors count by their alpha. */
#ifndef REDUCE_MEAN_H
#define REDUCE_MEAN_H
#include "filter/help/subgraph.h"

static inline weft_status weighted_mean(weft_graph *graph, weft_node input, const weft_image_info *info,
                                        weft_node *result, weft_error *error) {
    if (info->alpha == WEFT_ALPHA_NONE)
        return weft_graph_add(graph, "reduce", &input, 1, result, error);
    weft_node mean, color;
    weft_status status = SUBGRAPH_ADD("reduce", &input, 1, &mean, {"alpha", 1});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "unpremultiply", &mean, 1, &color, error);
    return status == WEFT_OK ? weft_graph_add(graph, "reduce", &color, 1, result, error) : status; /* numbers again */
}

#endif
