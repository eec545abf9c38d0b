/* SPDX-License-Identifier: MIT
 * Inside the mask the result has the gradients of the second image, and at its edge the colors of the first one: with N the four
 * neighbors that lie in the image, the sum over N of (x - neighbor's x) is that of (s - neighbor's s). With x = s + e that is
 * Laplace's equation for e, which at the mask's edge is b - s. By mixed gradients a pair of neighbors has the difference of b
 * instead of that of s, color by color, where it is farther from 0.
 *
 * compat=gpuimage has sweeps of Jacobi's method: each lets a pixel be the mean of its four neighbors, changed as the second image
 * changes there. Far from the border of the mask thousands are needed. */
#define NAME poisson_blend
#define SUMMARY "Lay the second image over the first by its gradients, so that its colors become those around it"
#define ALIASES "seamless_clone"
#define SOURCE                                                                                                                     \
    "Perez, Gangnet and Blake 2003, solved by multigrid: in double precision to a residual below 1e-4 of the first one and "       \
    "to 1e-3 "                                                                                                                     \
    "of the largest change, on masks with holes, strokes and edges of all kinds; GPUImage's GPUImagePoissonBlendFilter"
#define EXAMPLE                                                                                                        \
    "split=3[a][b][c];[b]affine=1|0|62|0|1|-150:border=mirror[d];[c]luminance_threshold=1,draw_points=0.41|0.27:48:white[e];"  \
    "[d][e]mask[f];[a][f]poisson_blend"
#define INPUTS 2
#define TOLERANCE 2e-3
#define ALPHA_DOC                                                                                                      \
    "colors are taken straight; the first image's alpha is kept. The mask is where the second one's is not 0, but for the pixels " \
    "at its edge, which are not changed; where it is less than 1 the result is mixed with the first image by it"
#define PARAMS                                                                                                         \
    CHOICE(gradients, 0, "source|mixed",                                                                               \
           "whose to follow: the second image's, or, between any two pixels, those of the image that changes more")    \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: sweeps of Jacobi's method, however far from solved")                 \
    FLOAT(mix, 0.5, 0, 1, "", "compat=gpuimage: how far each sweep goes, times the alpha of the second image")         \
    INT(iterations, 10, 1, 500, "", "compat=gpuimage: sweeps")                                                         \
    BORDER_PARAMS
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC                                                                                                                 \
    "what lies outside the images. Unless compat=gpuimage, a mask may reach the image's edge, where only constant gives colors "   \
    "to meet"
#define BORDER_FIRST 0
#include "filter/help/border.h"
#include "filters/blend/poisson_solve.h"
#include "filter/composite.h"
#include "base/status.h"
#include "filters/blend/poisson_infer.h"

static weft_status weigh(weft_graph *graph, const struct BLOCK *p, weft_node input, const double *kernel, weft_node *node,
                         weft_error *error) {
    weft_status status = SUBGRAPH_ADD("convolve3x3", &input, 1, node, {"border", p->border},
                                      {"border_value", p->border_value});
    return status == WEFT_OK ? weft_graph_set(graph, *node, "kernel", kernel, 9, error) : status;
}

static const double mean[9] = {0, 0.25, 0, 0.25, 0, 0.25, 0, 0.25, 0};

static weft_status expand_compat(weft_graph *graph, const struct BLOCK *p, const weft_node *inputs, weft_node *result,
                                 weft_error *error) {
    static const double change[9] = {0, -0.25, 0, -0.25, 1, -0.25, 0, -0.25, 0};
    weft_node colors = -1, ahead = -1, step[2] = {inputs[0], -1}, sum[2] = {-1, -1};
    weft_status status = weft_graph_add(graph, "alpha_remove", &inputs[1], 1, &colors, error);
    if (status == WEFT_OK)
        status = weigh(graph, p, colors, change, &ahead, error);
    const weft_node with_alpha[2] = {ahead, inputs[1]};
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "poisson_target", with_alpha, 2, &ahead, error);
    for (int i = 0; status == WEFT_OK && i < p->iterations; i++) {
        status = weigh(graph, p, step[0], mean, &sum[0], error);
        sum[1] = ahead;
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "poisson_sum", sum, 2, &step[1], error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("poisson_step", step, 2, &step[0], {"mix", p->mix});
    }
    *result = step[0];
    return status;
}

/* Adds to *right a quarter of what the second image's differences exceed the first one's by, where these are farther from 0. */
static weft_status add_mixed(weft_graph *graph, const struct BLOCK *p, const weft_node *colors, weft_node *right,
                             weft_error *error) {
    static const int neighbors[4] = {1, 3, 5, 7};
    weft_status status = WEFT_OK;
    for (int k = 0; status == WEFT_OK && k < 4; k++) {
        double difference[9] = {0, 0, 0, 0, -1};
        weft_node pair[2] = {-1, -1}, sum[2] = {*right, -1};
        difference[neighbors[k]] = 1;
        for (int i = 0; status == WEFT_OK && i < 2; i++)
            status = weigh(graph, p, colors[1 - i], difference, &pair[i], error);
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "poisson_larger", pair, 2, &sum[1], error);
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "sum_of", sum, 2, right, error);
    }
    return status;
}

/* The mask, and the right side of the equation for what is added to the second image: the mean over the neighbors of the first
 * image less the second, where they are outside, as far as the gradients are the second image's. */
static weft_status pose(weft_graph *graph, const struct BLOCK *p, const weft_node *colors, weft_node over, struct grid *finest,
                        weft_error *error) {
    weft_node pair[2] = {-1, -1};
    weft_status status = weft_graph_add(graph, "alpha_extract", &over, 1, &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("poisson_inside", &pair[1], 1, &pair[1], {"border", WEFT_BORDER_REPLICATE});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "difference_of", colors, 2, &pair[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "poisson_outside", pair, 2, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("convolve3x3", pair, 1, &pair[0], {"border", p->border});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, pair[0], "kernel", mean, 9, error);
    if (status == WEFT_OK && p->gradients == 1)
        status = add_mixed(graph, p, colors, &pair[0], error);
    finest->freedom = pair[1];
    return status == WEFT_OK ? weft_graph_add(graph, "poisson_within", pair, 2, &finest->right, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    struct poisson s = {.graph = graph,
                        .border = p->border == WEFT_BORDER_CONSTANT ? WEFT_BORDER_CONSTANT : WEFT_BORDER_REPLICATE,
                        .grids[0] = {.width = info->width, .height = info->height}};
    weft_node colors[2] = {-1, -1}, ends[2] = {inputs[1], -1};
    struct BLOCK own = *p; /* neighbors outside the image are none, but for border=constant */
    weft_status status = WEFT_OK;
    own.border = s.border;
    if (info[1].width != info->width || info[1].height != info->height)
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "it needs images of one size, but input 2 is %lldx%lld and input 1 is %lldx%lld: "
                         "cover brings one to the size of the other, pad and crop_region lay it somewhere",
                         (long long)info[1].width, (long long)info[1].height, (long long)info->width, (long long)info->height);
    if (p->compat)
        return expand_compat(graph, p, inputs, result, error);
    if (poisson_colors(&info[0]) == 1 && poisson_colors(&info[1]) == 3)
        status = weft_graph_add(graph, "grayscale", &inputs[1], 1, &ends[0], error);
    for (int i = 0; i < 2 && status == WEFT_OK; i++)
        status = weft_graph_add(graph, "alpha_remove", i ? &ends[0] : &inputs[0], 1, &colors[i], error);
    if (status == WEFT_OK)
        status = pose(graph, &own, colors, ends[0], &s.grids[0], error);
    if (status == WEFT_OK)
        status = poisson_solve(&s, &ends[1], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "poisson_lift", ends, 2, &ends[1], error);
    ends[0] = inputs[0];
    return status == WEFT_OK ? SUBGRAPH_ADD("poisson_step", ends, 2, result, {"mix", 1}) : status;
}
