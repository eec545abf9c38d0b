/* SPDX-License-Identifier: MIT */
#define NAME gaussian_blur_r
#define SUMMARY "Blur the first channel alone, which is all that the result shows, as grey"
#define SOURCE "GPUImage's GPUImageSingleComponentGaussianBlurFilter"
#define EXAMPLE "gaussian_blur_r=4"
#define TOLERANCE 4e-5
#define ALPHA_DOC "red is taken straight; the result has none"
#define PARAMS                                                                                                         \
    FLOAT(sigma, 2, 0, 10000, "px", "standard deviation of the blur")                                                  \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const double red[3] = {1, 0, 0};
    const struct BLOCK *p = block;
    weft_node colors = -1, plane = -1;
    weft_status status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "grayscale", &colors, 1, &plane, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, plane, "weights", red, 3, error);
    return status == WEFT_OK ? SUBGRAPH_ADD("gaussian", &plane, 1, result, {"sigma", p->sigma}, {"border", p->border},
                                            {"border_value", p->border_value})
                             : status;
}
