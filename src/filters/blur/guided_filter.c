/* SPDX-License-Identifier: MIT */
#define NAME guided_filter
#define SUMMARY "Smooth the first image and keep the edges of the second, the guide: refine masks, mattes and depth"
#define SOURCE "He, Sun and Tang 2013"
#define EXAMPLE "split[a][b];[a][b]guided_filter=8:0.02"
#define TOLERANCE 5e-3 /* variances are differences of nearly equal numbers */
#define INPUTS 2
#define ALPHA_DOC                                                                                                                  \
    "as in the filters that it is made of; guide=color: colors are taken straight, and the first image's alpha is kept"
#include "filters/blur/guided_color.h"
#define PARAMS                                                                                                         \
    GUIDED_PARAMS                                                                                                      \
    CHOICE(guide, 0, "grey|channels|color",                                                                            \
           "the guide's luminance for all channels; its channels for the same ones; or all of its colors for each channel, " \
           "which keeps edges between colors of one luminance")
#include "filter/composite.h"

static weft_status by_color(weft_graph *graph, const struct BLOCK *p, const weft_node *inputs, const weft_image_info *info,
                            weft_node *result, weft_error *error) {
    int32_t channels = info->format.channels - (info->alpha != WEFT_ALPHA_NONE);
    weft_node colors[2] = {-1, -1}, ends[2] = {inputs[0], -1};
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = weft_graph_add(graph, "alpha_remove", &inputs[i], 1, &colors[i], error);
    if (status == WEFT_OK)
        status = guided_add_color(graph, colors[0], channels, colors[1], p->radius, (double)p->eps, &ends[1], error);
    return status == WEFT_OK ? weft_graph_add(graph, "kuwahara_show", ends, 2, result, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    bool colored = info[1].format.channels - (info[1].alpha != WEFT_ALPHA_NONE) >= 3;
    weft_node guide = inputs[1];
    if (p->guide == 2 && colored)
        return by_color(graph, p, inputs, info, result, error);
    if (inputs[0] == inputs[1])
        return SUBGRAPH_ADD("guided_by_itself", inputs, 1, result, {"radius", p->radius}, {"eps", (double)p->eps},
                            {"guide", p->guide == 1});
    weft_status status = p->guide == 1 ? WEFT_OK : weft_graph_add(graph, "grayscale", &inputs[1], 1, &guide, error);
    return status == WEFT_OK ? guided_add(graph, inputs[0], guide, p->radius, p->eps, result, error) : status;
}
