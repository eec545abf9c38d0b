/* SPDX-License-Identifier: MIT
 * What filters of a sphere are: what is seen through it, then what is around and on it. The file defines
 *   ZOOM    how much of the image is seen through the sphere, above 0 upside down, below upright
 *   SHINES  1 where the sphere is lit */
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "place in the image, from 0|0 at the top left to 1|1")         \
    FLOAT(radius, 0.25, 0, 10, "", "of the sphere, as a share of the image's width")                                   \
    FLOAT(refractive_index, 0.71, 0, 1, "", "of what is around over that of the sphere: 0.71 for air and glass")       \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: the circle moves off a center that is not in the middle")            \
    BORDER_PARAMS

#define TOLERANCE 1
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double center[2] = {p->center[0], p->center[1]};
    weft_node lens;
    weft_status status =
        SUBGRAPH_ADD("sphere_lens", inputs, 1, &lens, {"radius", p->radius}, {"refractive_index", p->refractive_index},
                     {"zoom", ZOOM}, {"compat", p->compat}, {"border", p->border}, {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, lens, "center", center, 2, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("sphere_light", &lens, 1, result, {"radius", p->radius}, {"glass", SHINES},
                              {"compat", p->compat});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "center", center, 2, error) : status;
}
