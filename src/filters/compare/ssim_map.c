/* SPDX-License-Identifier: MIT
 * Means are by a gaussian of sigma 1.5 over 11 pixels, as in the paper. */
#define NAME ssim_map
#define SUMMARY "Where two images look alike: their structural similarity around each pixel, color by color, 1 at most"
#define SOURCE "Wang, Bovik, Sheikh and Simoncelli 2004"
#define EXAMPLE "split[a][b];[b]gaussian=2[c];[a][c]ssim_map"
#define TOLERANCE 5e-3 /* variances are differences of nearly equal numbers */
#define INPUTS 2
#define PARAMS BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status join(weft_graph *graph, const char *filter, weft_node a, weft_node b, weft_node *node, weft_error *error) {
    const weft_node pair[2] = {a, b};
    return weft_graph_add(graph, filter, pair, 2, node, error);
}

/* The mean of a product less the product of the means. */
static weft_status covariance(weft_graph *graph, const struct BLOCK *p, const weft_node *images, const weft_node *means,
                              weft_node *node, weft_error *error) {
    weft_node product, mean = -1, of_means = -1;
    weft_status status = join(graph, "product_of", images[0], images[1], &product, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &product, 1, &mean, {"sigma", 1.5}, {"radius", 5}, {"border", p->border},
                              {"border_value", (double)p->border_value * (double)p->border_value});
    if (status == WEFT_OK)
        status = join(graph, "product_of", means[0], means[1], &of_means, error);
    return status == WEFT_OK ? join(graph, "difference_of", mean, of_means, node, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node mean[2] = {-1, -1}, variance[2] = {-1, -1}, both = -1, sum = -1, light = -1, structure = -1;
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = SUBGRAPH_ADD("gaussian", &inputs[i], 1, &mean[i], {"sigma", 1.5}, {"radius", 5}, {"border", p->border},
                              {"border_value", p->border_value});
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = covariance(graph, p, (const weft_node[]){inputs[i], inputs[i]}, (const weft_node[]){mean[i], mean[i]},
                            &variance[i], error);
    if (status == WEFT_OK)
        status = covariance(graph, p, inputs, mean, &both, error);
    if (status == WEFT_OK)
        status = join(graph, "sum_of", variance[0], variance[1], &sum, error);
    if (status == WEFT_OK)
        status = join(graph, "ssim_structure", both, sum, &structure, error);
    if (status == WEFT_OK)
        status = join(graph, "ssim_luminance", mean[0], mean[1], &light, error);
    return status == WEFT_OK ? join(graph, "product_of", light, structure, result, error) : status;
}
