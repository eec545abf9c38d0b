/* SPDX-License-Identifier: MIT */
#define NAME colour_fast
#define SUMMARY "Describe the surroundings of each pixel by a color and a direction, of the image blurred by a box"
#define ALIASES "color_fast colour_fast_feature_detector"
#define SOURCE "GPUImage's GPUImageColourFASTFeatureDetector"
#define EXAMPLE "colour_fast=4"
#define TOLERANCE 1
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    INT(radius, 3, 0, 1000, "px", "of the box: 2 radius + 1 pixels each way")                                          \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node mean;
    weft_status status = SUBGRAPH_ADD("box", inputs, 1, &mean, {"radius", p->radius}, {"border", p->border},
                                      {"border_value", p->border_value});
    return status == WEFT_OK ? SUBGRAPH_ADD("colour_fast_response", &mean, 1, result, {"border", p->border},
                                            {"border_value", p->border_value})
                             : status;
}
