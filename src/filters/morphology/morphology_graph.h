/* SPDX-License-Identifier: MIT
 * What morphology_gradient, top_hat and black_hat are: the difference of two images that morphological filters FIRST and SECOND
 * make; NULL is the image itself. */
#define PARAMS                                                                                                         \
    INT(radius, 1, 0, 10000, "px", "the rectangle is 2 radius + 1 wide")                                               \
    AUTO_INT(radius_y, 0, 10000, "px", "and 2 radius_y + 1 high; auto is radius")                                      \
    BORDER_PARAMS
#define SOURCE "Serra 1982; OpenCV's morphologyEx"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const char *const filters[2] = {FIRST, SECOND};
    const struct BLOCK *p = block;
    weft_node pair[2] = {*inputs, *inputs};
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        if (filters[i])
            status = SUBGRAPH_ADD(filters[i], inputs, 1, &pair[i], {"radius", p->radius}, {"radius_y", p->radius_y},
                                  {"border", p->border}, {"border_value", p->border_value});
    return status == WEFT_OK ? weft_graph_add(graph, "difference_of", pair, 2, result, error) : status;
}
