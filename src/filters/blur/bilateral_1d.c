/* SPDX-License-Identifier: MIT
 * Not the bilateral filter, which is no pass along x and one along y, but what GPUImage has by that name. */
#define NAME bilateral_1d
#define SUMMARY "Smooth while keeping edges, along y and then along x: the bilateral filter of GPUImage"
#define SOURCE "GPUImage's bilateral filter; bilateral is the standard form"
#define EXAMPLE "bilateral_1d=2"
#define TOLERANCE 2e-5
#define PARAMS                                                                                                         \
    INT(texel_spacing, 4, 1, 250, "px", "from one of the 9 pixels of a line to the next")                              \
    FLOAT(distance_normalization, 8, 0, 1000, "", "colors as far apart as its inverse, and farther, do not count")     \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_status status = WEFT_OK;
    *result = *inputs;
    for (int axis = 1; axis >= 0 && status == WEFT_OK; axis--) {
        weft_node node = *result;
        status = SUBGRAPH_ADD("bilateral_line", &node, 1, result, {"texel_spacing", p->texel_spacing},
                              {"distance_normalization", p->distance_normalization}, {"axis", axis},
                              {"border", p->border}, {"border_value", p->border_value});
    }
    return status;
}
