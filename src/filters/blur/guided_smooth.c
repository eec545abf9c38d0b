/* SPDX-License-Identifier: MIT */
#define NAME guided_smooth
#define SUMMARY "Smooth the image and keep its edges, at any radius for the same cost: the guided filter of an image by itself"
#define SOURCE "He, Sun and Tang 2013"
#define EXAMPLE "guided_smooth=8:0.02"
#define TOLERANCE 5e-3
#include "filters/blur/guided_graph.h"
#define PARAMS GUIDED_PARAMS
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    return SUBGRAPH_ADD("guided_by_itself", inputs, 1, result, {"radius", p->radius}, {"eps", (double)p->eps}, {"guide", 1});
}
