/* SPDX-License-Identifier: MIT
 * ssim leaves out five pixels at the border, whose windows are not whole, as scikit-image does. */
#define NAME compare
#define SUMMARY "By how much two images differ, as a number: the mean over their colors, or SSIM, or PSNR"
#define SOURCE "full scale is 1; ssim: Wang, Bovik, Sheikh and Simoncelli 2004, gaussian of sigma 1.5 over 11 pixels"
#define EXAMPLE "split[a][b];[b]gaussian=2[c];[a][c]compare=ssim"
#define TOLERANCE 5e-3
#define INPUTS 2
#define PARAMS                                                                                                         \
    CHOICE(measure, 0, "mse|mae|max|ssim|psnr|delta_e",                                                                \
           "mean squared error, mean absolute difference, largest difference, structural similarity, peak signal to noise " \
           "in decibels (300 for equal images), or the mean delta_e")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

enum measure { MSE, MAE, LARGEST, SSIM, PSNR, DELTA_E };

/* Leaves out the windows that are not whole, where there are others. */
static weft_status inside(weft_graph *graph, const weft_image_info *info, weft_node *node, weft_error *error) {
    return info->width > 10 && info->height > 10
               ? SUBGRAPH_ADD("crop", node, 1, node, {"x", 5}, {"y", 5}, {"width", (double)(info->width - 10)},
                              {"height", (double)(info->height - 10)})
               : WEFT_OK;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    enum measure measure = (enum measure)((const struct BLOCK *)block)->measure;
    weft_node node = -1;
    if (info[0].width != info[1].width || info[0].height != info[1].height)
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "compare needs two pictures of one size, but the first is %lldx%lld and the second %lldx%lld: bring one "
                         "to the size of the other before, by resize=fit=%lldx%lld or crop, or by cover",
                         (long long)info[0].width, (long long)info[0].height, (long long)info[1].width,
                         (long long)info[1].height, (long long)info[0].width, (long long)info[0].height);
    bool squares = measure == MSE || measure == PSNR;
    const char *difference = squares              ? "difference_of"
                             : measure == DELTA_E ? "delta_e"
                             : measure == SSIM    ? "ssim_map"
                                                  : "absolute_difference";
    weft_status status = weft_graph_add(graph, difference, inputs, 2, &node, error);
    const weft_node twice[2] = {node, node};
    if (status == WEFT_OK && squares)
        status = weft_graph_add(graph, "product_of", twice, 2, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, measure == LARGEST ? "channel_max" : "channel_mean", &node, 1, &node, error);
    if (status == WEFT_OK && measure == SSIM)
        status = inside(graph, info, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "reduce", &node, 1, &node, error);
    if (status == WEFT_OK && measure == LARGEST)
        status = weft_graph_set_text(graph, node, "op", "max", error);
    for (int i = 0; status == WEFT_OK && measure == PSNR && i < 2; i++) /* a picture of one pixel, then numbers again */
        status = weft_graph_add(graph, i ? "reduce" : "decibels", &node, 1, &node, error);
    *result = node;
    return status;
}
