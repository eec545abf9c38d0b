/* SPDX-License-Identifier: MIT
 * The two maps that structural similarity is the product of: how alike local means are, and how alike what varies around them.
 * Means are by a gaussian of sigma 1.5 over 11 pixels, as in the paper. */
#ifndef FILTERS_COMPARE_SSIM_H
#define FILTERS_COMPARE_SSIM_H
#include "filter/help/subgraph.h"

struct ssim_border {
    int32_t border;
    double value;
};

static inline weft_status ssim_join(weft_graph *graph, const char *filter, weft_node a, weft_node b, weft_node *node,
                                    weft_error *error) {
    const weft_node pair[2] = {a, b};
    return weft_graph_add(graph, filter, pair, 2, node, error);
}

/* The mean of a product less the product of the means. */
static inline weft_status ssim_covariance(weft_graph *graph, const struct ssim_border *p, const weft_node *images,
                                          const weft_node *means, weft_node *node, weft_error *error) {
    weft_node product, mean = -1, of_means = -1;
    weft_status status = ssim_join(graph, "product_of", images[0], images[1], &product, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &product, 1, &mean, {"sigma", 1.5}, {"radius", 5}, {"border", p->border},
                              {"border_value", p->value * p->value});
    if (status == WEFT_OK)
        status = ssim_join(graph, "product_of", means[0], means[1], &of_means, error);
    return status == WEFT_OK ? ssim_join(graph, "difference_of", mean, of_means, node, error) : status;
}

/* Variances are differences of nearly equal numbers and do not depend on where 0 is: with it in the middle of what there is,
 * squares are a quarter as large, and so is what rounding leaves of them. */
#define SSIM_MIDDLE 0.5

static inline weft_status ssim_maps(weft_graph *graph, const struct ssim_border *p, const weft_node *inputs, weft_node *light,
                                    weft_node *structure, weft_error *error) {
    const struct ssim_border moved = {p->border, p->value - SSIM_MIDDLE};
    weft_node image[2] = {-1, -1}, mean[2] = {-1, -1}, variance[2] = {-1, -1}, both = -1, sum = -1;
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++) {
        status = SUBGRAPH_ADD("brightness", &inputs[i], 1, &image[i], {"brightness", -SSIM_MIDDLE});
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("gaussian", &image[i], 1, &mean[i], {"sigma", 1.5}, {"radius", 5}, {"border", moved.border},
                                  {"border_value", moved.value});
    }
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = ssim_covariance(graph, &moved, (const weft_node[]){image[i], image[i]}, (const weft_node[]){mean[i], mean[i]},
                                 &variance[i], error);
    if (status == WEFT_OK)
        status = ssim_covariance(graph, &moved, image, mean, &both, error);
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = SUBGRAPH_ADD("brightness", &mean[i], 1, &mean[i], {"brightness", SSIM_MIDDLE});
    if (status == WEFT_OK)
        status = ssim_join(graph, "sum_of", variance[0], variance[1], &sum, error);
    if (status == WEFT_OK)
        status = ssim_join(graph, "ssim_structure", both, sum, structure, error);
    return status == WEFT_OK ? ssim_join(graph, "ssim_luminance", mean[0], mean[1], light, error) : status;
}

#endif
