/* SPDX-License-Identifier: MIT */
#define NAME ios_blur
#define SUMMARY "Frosted glass: less color, a wide blur, and luminances moved to the middle"
#define ALIASES "frosted_glass"
#define SOURCE "GPUImage's GPUImageiOSBlurFilter; reduced by means over areas, not by single places"
#define EXAMPLE "ios_blur=6"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(sigma, 12, 0, 2500, "px", "standard deviation of the blur, in pixels of the reduced image")                  \
    FLOAT(saturation, 0.8, 0, 2, "", "of the colors; 1 keeps them, 0 is grey")                                         \
    FLOAT(downsampling, 4, 1, 64, "", "how much smaller the image is that is blurred")                                 \
    FLOAT(range_reduction, 0.6, 0, 1, "", "0 keeps the luminances, 1 makes all the same")                              \
    BORDER_PARAMS
#include <math.h>
#include "filter/help/border.h"
#include "filters/blur/reduced.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double width = fmax(floor((double)info->width / p->downsampling + 0.5), 1);
    double height = fmax(floor((double)info->height / p->downsampling + 0.5), 1);
    weft_node node = *inputs;
    weft_status status = reduced_add(graph, node, width, height, &node, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("saturation", &node, 1, &node, {"saturation", p->saturation});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &node, 1, &node, {"sigma", p->sigma}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = enlarged_add(graph, node, info, &node, error);
    return status == WEFT_OK
               ? SUBGRAPH_ADD("luminance_range", &node, 1, result, {"reduction", p->range_reduction})
               : status;
}
