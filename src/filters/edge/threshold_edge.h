/* SPDX-License-Identifier: MIT
 * What threshold_edge and threshold_sketch share: the length of the gradient compared with a threshold, inverted with INVERTED. */
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.25, 0, UNBOUNDED, "", "edges are where the gradient is at least this long; 1 is full scale")    \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the gradient")                                                      \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node node;
    weft_status status = SUBGRAPH_ADD("sobel", inputs, 1, &node, {"edge_strength", p->edge_strength},
                                      {"border", p->border}, {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("luminance_threshold", &node, 1, &node, {"threshold", p->threshold});
#ifdef INVERTED
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "invert", &node, 1, &node, error);
#endif
    *result = node;
    return status;
}
