/* SPDX-License-Identifier: MIT */
#define NAME motion_detect
#define SUMMARY "Find motion: where colors differ from their low_pass; as numbers, the center of these pixels and their share"
#define SOURCE "GPUImage's GPUImageMotionDetector"
#define EXAMPLE "motion_detect=result=mask"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(strength, 0.5, 0, 1, "", "weight of the frame before in the low pass")                                       \
    FLOAT(threshold, 0.2, 0, 2, "", "least distance of a color from its low pass that is motion")                      \
    CHOICE(result, 0, "numbers|mask",                                                                               \
           "numbers: the center from 0, 0 at the top left to 1, 1, then 1, then the share of pixels that move; all 0 where "\
           "nothing does. mask: these pixels, with their places as colors")
#define ALPHA_DOC "colors are compared straight"
#include "filters/time/time.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node pair[2] = {*inputs, -1}, mask = -1;
    weft_status status = smooth(graph, *inputs, (double)p->strength, 0, &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("frame_motion", pair, 2, &mask, {"threshold", p->threshold});
    *result = mask;
    return status == WEFT_OK && p->result == 0 ? weft_graph_add(graph, "average_color", &mask, 1, result, error) : status;
}
