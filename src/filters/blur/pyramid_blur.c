/* SPDX-License-Identifier: MIT */
#define NAME pyramid_blur
#define SUMMARY "Blur a reduced image by 17 samples of a gaussian and enlarge it again: cheap, for soft glows"
#define ALIASES "gaussian_pyramid_blur"
#define SOURCE "a compute shader's blur of a reduced image; gaussian is exact, and as cheap where sigma is large"
#define EXAMPLE "pyramid_blur=20:4"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(radius, 12.5, 0, 32, "px", "distance of the last sample, in pixels of the reduced image")                    \
    INT(downsample, 2, 1, 64, "", "how much smaller the image is that is blurred")                                     \
    BORDER_PARAMS
#include <math.h>
#include "filter/help/border.h"
#include "filters/blur/reduced.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double width = ceil((double)info->width / p->downsample), height = ceil((double)info->height / p->downsample);
    weft_node node = *inputs;
    weft_status status = reduced_add(graph, node, width, height, &node, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian_sampled", &node, 1, &node, {"radius", p->radius}, {"border", p->border},
                              {"border_value", p->border_value});
    return status == WEFT_OK ? enlarged_add(graph, node, info, result, error) : status;
}
