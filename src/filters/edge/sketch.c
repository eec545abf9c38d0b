/* SPDX-License-Identifier: MIT */
#define NAME sketch
#define SUMMARY "Draw with a pencil: dark lines where the luminance changes, on white"
#define SOURCE "GPUImage's GPUImageSketchFilter: 1 less the length of the Sobel gradient"
#define EXAMPLE "gaussian=1,sketch"
#define TOLERANCE 4e-6
#define PARAMS                                                                                                         \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the gradient")                                                      \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node edges;
    weft_status status = SUBGRAPH_ADD("sobel", inputs, 1, &edges, {"edge_strength", p->edge_strength},
                                      {"border", p->border}, {"border_value", p->border_value});
    return status == WEFT_OK ? weft_graph_add(graph, "invert", &edges, 1, result, error) : status;
}
