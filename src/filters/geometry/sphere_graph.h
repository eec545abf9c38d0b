/* SPDX-License-Identifier: MIT
 * The graph of a sphere, of glass or not: what is seen through it, then what is around and on it. */
#ifndef FILTERS_GEOMETRY_SPHERE_GRAPH_H
#define FILTERS_GEOMETRY_SPHERE_GRAPH_H
#include "filter/border.h"
#include "filter/subgraph.h"

#define SPHERE_PARAMS                                                                                                  \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.25, 0, 10, "", "of the sphere, as a share of the image's width")                                   \
    FLOAT(refractive_index, 0.71, 0, 1, "", "of what is around over that of the sphere: 0.71 for air and glass")       \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the circle moves off a center that is not in the middle")            \
    BORDER_PARAMS

/* `zoom` is how much of the image is seen through the sphere, above 0 upside down, below upright. */
static inline weft_status sphere_graph(weft_graph *graph, const float center[2], double radius, double index,
                                       double zoom, double glass, double compat, double border, double border_value,
                                       const weft_node *input, weft_node *result, weft_error *error) {
    const double place[2] = {center[0], center[1]};
    weft_node lens;
    weft_status status =
        SUBGRAPH_ADD("sphere_lens", input, 1, &lens, {"radius", radius}, {"refractive_index", index}, {"zoom", zoom},
                     {"compat", compat}, {"border", border}, {"border_value", border_value});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, lens, "center", place, 2, error);
    if (status == WEFT_OK)
        status =
            SUBGRAPH_ADD("sphere_light", &lens, 1, result, {"radius", radius}, {"glass", glass}, {"compat", compat});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "center", place, 2, error) : status;
}

#endif
