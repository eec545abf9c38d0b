/* SPDX-License-Identifier: MIT */
#define NAME guided_filter
#define SUMMARY "Smooth the first image and keep the edges of the second, the guide: refine masks, mattes and depth"
#define SOURCE "He, Sun and Tang 2013"
#define EXAMPLE "split[a][b];[b]grayscale[g];[a][g]guided_filter=8:0.02"
#define TOLERANCE 5e-3 /* variances are differences of nearly equal numbers */
#define INPUTS 2
#include "filters/blur/guided_graph.h"
#define PARAMS                                                                                                         \
    GUIDED_PARAMS                                                                                                      \
    CHOICE(guide, 0, "grey|channels", "the guide's luminance for all channels, or its channels for the same ones")
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node guide = inputs[1];
    weft_status status = p->guide == 0 ? weft_graph_add(graph, "grayscale", &inputs[1], 1, &guide, error) : WEFT_OK;
    return status == WEFT_OK ? guided_add(graph, inputs[0], guide, p->radius, p->eps, result, error) : status;
}
