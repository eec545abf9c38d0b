/* SPDX-License-Identifier: MIT
 * ssim leaves out five pixels at the border, whose windows are not whole, as scikit-image does. */
#define NAME compare
#define SUMMARY "By how much two images differ, as a number: the mean over their colors"
#define ALIASES "ssim"
#define SOURCE "full scale is 1; ssim: Wang, Bovik, Sheikh and Simoncelli 2004, gaussian of sigma 1.5 over 11 pixels"
#define EXAMPLE "split[a][b];[b]gaussian=2[c];[a][c]compare=ssim"
#define TOLERANCE 5e-3
#define INPUTS 2
#define PARAMS                                                                                                         \
    CHOICE(measure, 0, "mse|mae|max|ssim",                                                                        \
           "mean squared error, mean absolute difference, largest difference, or structural similarity")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

enum measure { MSE, MAE, LARGEST, SSIM };

static weft_status similarity(weft_graph *graph, const weft_node *inputs, const weft_image_info *info, weft_node *node,
                              weft_error *error) {
    bool whole = info->width > 10 && info->height > 10;
    weft_status status = weft_graph_add(graph, "ssim_map", inputs, 2, node, error);
    return status == WEFT_OK && whole
               ? SUBGRAPH_ADD("crop", node, 1, node, {"x", 5}, {"y", 5}, {"width", (double)(info->width - 10)},
                              {"height", (double)(info->height - 10)})
               : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    enum measure measure = (enum measure)((const struct BLOCK *)block)->measure;
    weft_node node = -1;
    weft_status status = measure == SSIM ? similarity(graph, inputs, info, &node, error)
                                         : weft_graph_add(graph, measure == MSE ? "difference_of" : "absolute_difference",
                                                          inputs, 2, &node, error);
    const weft_node twice[2] = {node, node};
    if (status == WEFT_OK && measure == MSE)
        status = weft_graph_add(graph, "product_of", twice, 2, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, measure == LARGEST ? "channel_max" : "channel_mean", &node, 1, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "reduce", &node, 1, &node, error);
    if (status == WEFT_OK && measure == LARGEST)
        status = weft_graph_set_text(graph, node, "op", "max", error);
    *result = node;
    return status;
}
