/* SPDX-License-Identifier: MIT */
#define NAME guided_matting
#define SUMMARY "Key out a color, and refine the matte along the edges of the picture"
#define SOURCE "He, Sun and Tang 2013, on the matte of chroma_key_ue"
#define EXAMPLE "guided_matting=0.45|0.6|0.1|1:0.08:0.06:6:0.001"
#define TOLERANCE 1
#define STEADY_TOLERANCE 2e-2
#define CHANNELS ADD_ALPHA
#include "filters/blur/guided_graph.h"
#define PARAMS                                                                                                         \
    COLOR(color, 0, 1, 0, 1, 0, 1, "the key: the color of the screen")                                                 \
    FLOAT(similarity, 0.2, 0, 2, "", "hues this near to the key's are transparent; none are more than 0.7 apart")      \
    FLOAT(smoothing, 0.1, 0, 2, "", "how much farther a hue is that is opaque")                                        \
    GUIDED_PARAMS
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double key[4] = {(double)p->color.x, (double)p->color.y, (double)p->color.z, (double)p->color.w};
    weft_node keyed, matte = -1, guide = -1, refined = -1;
    weft_status status = SUBGRAPH_ADD("chroma_key_ue", inputs, 1, &keyed, {"similarity", p->similarity},
                                      {"smoothing", p->smoothing});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, keyed, "color", key, 4, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "alpha_extract", &keyed, 1, &matte, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "grayscale", inputs, 1, &guide, error);
    if (status == WEFT_OK)
        status = guided_add(graph, matte, guide, p->radius, p->eps, &refined, error);
    const weft_node pair[2] = {keyed, refined};
    return status == WEFT_OK ? weft_graph_add(graph, "alpha_combine", pair, 2, result, error) : status;
}
