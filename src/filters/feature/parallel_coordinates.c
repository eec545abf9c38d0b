/* SPDX-License-Identifier: MIT */
#define NAME parallel_coordinates
#define SUMMARY "Find straight lines by parallel coordinates: bright where the segments of many edge pixels cross"
#define ALIASES "parallel_coordinate_line_transform pclines"
#define SOURCE "Dubska, Herout and Havel 2011; GPUImage's GPUImageParallelCoordinateLineTransformFilter, of every pixel"
#define EXAMPLE "crop=0:0:320:240,canny,parallel_coordinates,exposure=2"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels whose luminance is at least this are counted")            \
    CHOICE(result, 0, "votes|lines",                                                                                   \
           "votes: how many segments cross each pixel, as a share of the larger side; lines: the maxima of that alone, "\
           "as a .csv lists them")                                                                                     \
    FLOAT(least, 0.12, 0, 10, "", "least share of result=lines")
#define ALPHA_DOC "transparent pixels are black; the result has no alpha"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node pair[2] = {-1, -1}, votes = -1;
    (void)info;
    weft_status status = weft_graph_add(graph, "luminance_over_black", inputs, 1, &pair[1], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &pair[1], 1, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("parallel_look", pair, 2, &votes, {"threshold", p->threshold});
    *result = votes;
    return status == WEFT_OK && p->result == 1 ? SUBGRAPH_ADD("nms", &votes, 1, result, {"threshold", p->least}) : status;
}
