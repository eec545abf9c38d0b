/* SPDX-License-Identifier: MIT */
#define NAME threshold_nms
#define SUMMARY "White at local maxima that reach a threshold, black elsewhere"
#define SOURCE "GPUImage's GPUImageThresholdedNonMaximumSuppressionFilter"
#define EXAMPLE "sobel,gaussian=1.5,threshold_nms=0.3,dilate=1"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.9, 0, UNBOUNDED, "", "smaller maxima are left out")                                             \
    INT(radius, 1, 1, 3, "px", "a maximum is the largest of (2 radius + 1)^2 pixels")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node grey, kept;
    weft_status status = weft_graph_add(graph, "grayscale", inputs, 1, &grey, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("nms", &grey, 1, &kept, {"radius", p->radius});
    return status == WEFT_OK
               ? SUBGRAPH_ADD("luminance_threshold", &kept, 1, result, {"threshold", p->threshold})
               : status;
}
