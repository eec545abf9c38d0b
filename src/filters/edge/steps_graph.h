/* SPDX-License-Identifier: MIT
 * The graph of composites that are a few steps in a row: FIRST, with the border and one parameter, FIRST_SETTING, then SECOND,
 * where it is defined, with the settings that SECOND_SETTINGS lists. With INVERTED the result is inverted. */
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node node = -1;
    weft_status status = SUBGRAPH_ADD(FIRST, inputs, 1, &node, FIRST_SETTING, {"border", p->border},
                                      {"border_value", p->border_value});
#ifdef SECOND
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD(SECOND, &node, 1, &node, SECOND_SETTINGS);
#endif
#ifdef INVERTED
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "invert", &node, 1, &node, error);
#endif
    *result = node;
    return status;
}
