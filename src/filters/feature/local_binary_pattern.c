/* SPDX-License-Identifier: MIT
 * GPUImage reads red alone: that is the red of color_local_binary_pattern. */
#define NAME local_binary_pattern
#define SUMMARY "Describe texture: which of the 8 neighbors are at least as bright, as a code of full scale 255"
#define ALIASES "lbp"
#define EXAMPLE "gaussian=1.5,local_binary_pattern"
#define PARAMS PATTERN_PARAMS BORDER_PARAMS
#include "filters/feature/binary_pattern.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node steps;
    weft_status status = weft_graph_add(graph, "luminance_steps", inputs, 1, &steps, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("color_local_binary_pattern", &steps, 1, result, {"neighbors", p->neighbors},
                              {"code", p->code}, {"border", p->border}, {"border_value", p->border_value});
    return status;
}
