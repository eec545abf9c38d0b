/* SPDX-License-Identifier: MIT
 * The guided filter (He, Sun and Tang 2013): around each pixel the result is a line of the guide, a I + b, fitted to the image by
 * least squares over a window; the lines of all windows that hold a pixel are averaged. Channels of the image are filtered by
 * themselves, by the same channel of the guide, or by a grey guide. */
#ifndef BLUR_GUIDED_GRAPH_H
#define BLUR_GUIDED_GRAPH_H
#include "filter/help/subgraph.h"

#define GUIDED_PARAMS                                                                                                  \
    INT(radius, 8, 1, 1000, "px", "windows have 2 radius + 1 pixels each way; at the border, those that are inside")   \
    FLOAT(eps, 0.01, 1e-4, 1, "", "variances well below this are smoothed away, well above they stay; 1 is full scale")

struct guided {
    weft_graph *graph;
    int32_t radius;
    weft_error *error;
    weft_status status;
};

static inline weft_node guided_mean(struct guided *g, weft_node input) {
    weft_node node = -1;
    if (g->status == WEFT_OK)
        g->status = weft_subgraph_add(g->graph, "box", &input, 1,
                                      (const struct weft_setting[]){{"radius", g->radius}, {"border", WEFT_BORDER_SHRINK}}, 2,
                                      &node, g->error);
    return node;
}

static inline weft_node guided_pair(struct guided *g, const char *filter, weft_node a, weft_node b) {
    const weft_node pair[2] = {a, b};
    weft_node node = -1;
    if (g->status == WEFT_OK)
        g->status = weft_graph_add(g->graph, filter, pair, 2, &node, g->error);
    return node;
}

/* The mean of a product less the product of the means. */
static inline weft_node guided_covariance(struct guided *g, weft_node a, weft_node b, weft_node mean_a, weft_node mean_b) {
    return guided_pair(g, "difference_of", guided_mean(g, guided_pair(g, "product_of", a, b)),
                       guided_pair(g, "product_of", mean_a, mean_b));
}

static inline weft_status guided_add(weft_graph *graph, weft_node image, weft_node guide, int32_t radius, double eps,
                                     weft_node *result, weft_error *error) {
    struct guided g = {graph, radius, error, WEFT_OK};
    weft_node mean_p = guided_mean(&g, image), mean_i = guide == image ? mean_p : guided_mean(&g, guide);
    weft_node variance = guided_covariance(&g, guide, guide, mean_i, mean_i);
    weft_node covariance = guide == image ? variance : guided_covariance(&g, image, guide, mean_p, mean_i);
    weft_node a = guided_pair(&g, "guided_slope", covariance, variance);
    if (g.status == WEFT_OK)
        g.status = weft_graph_set(graph, a, "eps", &eps, 1, error);
    weft_node b = guided_pair(&g, "difference_of", mean_p, guided_pair(&g, "product_of", a, mean_i));
    weft_node line = guided_pair(&g, "product_of", guided_mean(&g, a), guide);
    *result = guided_pair(&g, "sum_of", line, guided_mean(&g, b));
    return g.status;
}

#endif
