/* SPDX-License-Identifier: MIT
 * The guided filter with a guide of three colors: around each pixel a channel of the image is a plane over the guide's colors,
 * fitted by least squares, which takes the covariances of the guide's colors, a matrix of 3 x 3. */
#ifndef BLUR_GUIDED_COLOR_H
#define BLUR_GUIDED_COLOR_H
#include "filters/blur/guided_graph.h"

/* What all channels of an image share. */
struct guided_guide {
    weft_node colors, mean, pivots, factors;
};

static inline weft_node guided_set(struct guided *g, weft_node node, const char *name, const double *values, int32_t count) {
    if (g->status == WEFT_OK)
        g->status = weft_graph_set(g->graph, node, name, values, count, g->error);
    return node;
}

static inline weft_node guided_one(struct guided *g, const char *filter, weft_node input) {
    weft_node node = -1;
    if (g->status == WEFT_OK)
        g->status = weft_graph_add(g->graph, filter, &input, 1, &node, g->error);
    return node;
}

static inline weft_node guided_choose(struct guided *g, const char *filter, weft_node a, weft_node b, const char *name,
                                      double value) {
    return guided_set(g, guided_pair(g, filter, a, b), name, &value, 1);
}

/* Green, blue and red in place of red, green and blue. */
static inline weft_node guided_turned(struct guided *g, weft_node input) {
    const double from[3] = {1, 2, 0};
    weft_node node = guided_set(g, guided_one(g, "swizzle", input), "red", &from[0], 1);
    return guided_set(g, guided_set(g, node, "green", &from[1], 1), "blue", &from[2], 1);
}

/* A weighted sum of the colors, as one channel. */
static inline weft_node guided_sum(struct guided *g, weft_node input, double red, double green, double blue) {
    const double weights[3] = {red, green, blue};
    return guided_set(g, guided_one(g, "grayscale", input), "weights", weights, 3);
}

static inline struct guided_guide guided_guide_of(struct guided *g, weft_node colors, double eps) {
    struct guided_guide guide = {.colors = colors, .mean = guided_mean(g, colors)};
    weft_node variance = guided_covariance(g, colors, colors, guide.mean, guide.mean);
    weft_node mixed = guided_covariance(g, colors, guided_turned(g, colors), guide.mean, guided_turned(g, guide.mean));
    guide.pivots = guided_set(g, guided_choose(g, "guided_factor", variance, mixed, "result", 0), "eps", &eps, 1);
    guide.factors = guided_set(g, guided_choose(g, "guided_factor", variance, mixed, "result", 1), "eps", &eps, 1);
    return guide;
}

/* One channel. */
static inline weft_node guided_plane(struct guided *g, const struct guided_guide *guide, weft_node channel) {
    weft_node mean = guided_mean(g, channel);
    weft_node covariance = guided_covariance(g, guide->colors, channel, guide->mean, mean);
    weft_node down = guided_choose(g, "guided_solve", guide->factors, covariance, "way", 0);
    weft_node a = guided_choose(g, "guided_solve", guide->factors, guided_pair(g, "product_of", down, guide->pivots), "way", 1);
    weft_node b = guided_pair(g, "difference_of", mean, guided_sum(g, guided_pair(g, "product_of", a, guide->mean), 1, 1, 1));
    weft_node plane = guided_sum(g, guided_pair(g, "product_of", guided_mean(g, a), guide->colors), 1, 1, 1);
    return guided_pair(g, "sum_of", plane, guided_mean(g, b));
}

/* An image of `channels` colors, none of which is alpha; `colors` is the guide, of three. */
static inline weft_status guided_add_color(weft_graph *graph, weft_node image, int32_t channels, weft_node colors, int32_t radius,
                                           double eps, weft_node *result, weft_error *error) {
    struct guided g = {graph, radius, error, WEFT_OK};
    struct guided_guide guide = guided_guide_of(&g, colors, eps);
    weft_node all = -1;
    if (channels < 3) {
        *result = guided_plane(&g, &guide, image);
        return g.status;
    }
    for (int k = 0; k < 3 && g.status == WEFT_OK; k++) {
        const double place[16] = {k == 0, 0, 0, 0, k == 1, 0, 0, 0, k == 2, 0, 0, 0, 0, 0, 0, 1};
        weft_node plane = guided_plane(&g, &guide, guided_sum(&g, image, k == 0, k == 1, k == 2));
        plane = guided_set(&g, guided_one(&g, "color_matrix", plane), "matrix", place, 16);
        all = k == 0 ? plane : guided_pair(&g, "sum_of", all, plane);
    }
    *result = all;
    return g.status;
}

#endif
