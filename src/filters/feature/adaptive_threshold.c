/* SPDX-License-Identifier: MIT
 * Integer images are compared in whole steps of their luminance and their mean, which is what OpenCV does on 8 bits; the
 * gaussian is also OpenCV's: cut at the radius, of the sigma that goes with it, small ones rounded to binary fractions. */
#define NAME adaptive_threshold
#define SUMMARY "White where the luminance is above the mean around it less an offset, black elsewhere"
#define SOURCE "OpenCV's adaptiveThreshold of block size 2 radius + 1 and C = 255 offset"
#define EXAMPLE "adaptive_threshold=10:0.03"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    INT(radius, 4, 1, 1000, "px", "the mean is over 2 radius + 1 pixels each way")                                     \
    FLOAT(offset, 0.05, -1, 1, "", "by how much darker than the mean is still white; 1 is full scale")                 \
    CHOICE(mean, 0, "box|gaussian", "the plain mean, or one in which near pixels count more")                          \
    BORDER_PARAMS                                                                                                      \
    CHOICE(compat, 0, "none|gpuimage",                                                                                 \
           "gpuimage: the plain mean over an even radius, odd ones being one more, of f32; white where both are equal")
#include <math.h>
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* The weights of OpenCV's getGaussianKernel where no sigma is given. */
static void kernel(int32_t radius, double *weights) {
    static const double small[4][9] = {
        {.25, .5, .25},
        {.0625, .25, .375, .25, .0625},
        {.03125, .109375, .21875, .28125, .21875, .109375, .03125},
        {4 / 256., 13 / 256., 30 / 256., 51 / 256., 60 / 256., 51 / 256., 30 / 256., 13 / 256., 4 / 256.}};
    double sigma = 0.3 * (radius - 1) + 0.8, sum = 0;
    for (int32_t k = -radius; k <= radius; k++)
        sum += weights[k + radius] = radius <= 4 ? small[radius - 1][k + radius] : exp(-0.5 * k * k / (sigma * sigma));
    for (int32_t k = 0; k <= 2 * radius; k++)
        weights[k] /= sum;
}

static weft_status blur(weft_graph *graph, const struct BLOCK *p, const weft_node *input, double outside,
                        weft_node *mean, weft_error *error) {
    int32_t count = 2 * p->radius + 1;
    if (p->mean == 0)
        return SUBGRAPH_ADD("box", input, 1, mean, {"radius", p->radius}, {"border", p->border},
                            {"border_value", outside});
    double *weights = weft_allocate((size_t)count, sizeof *weights);
    if (!weights)
        return weft_fail_memory(error, (size_t)count * sizeof *weights, "the weights of a gaussian");
    kernel(p->radius, weights);
    weft_status status = SUBGRAPH_ADD("correlate_separable", input, 1, mean, {"alpha", 1}, {"border", p->border},
                                      {"border_value", outside});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *mean, "row", weights, count, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *mean, "column", weights, count, error);
    weft_free(weights);
    return status;
}

static weft_status expand_compat(weft_graph *graph, const struct BLOCK *p, const weft_node *inputs, weft_node *result,
                                 weft_error *error) {
    weft_node pair[2];
    weft_status status = weft_graph_add(graph, "grayscale", inputs, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("box", &pair[0], 1, &pair[1], {"radius", p->radius + p->radius % 2},
                              {"border", p->border}, {"border_value", p->border_value});
    return status == WEFT_OK
               ? SUBGRAPH_ADD("adaptive_compare", pair, 2, result, {"offset", p->offset}, {"equal", 1})
               : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->compat)
        return expand_compat(graph, p, inputs, result, error);
    int32_t steps = info->format.type == WEFT_U8 ? 255 : info->format.type == WEFT_U16 ? 65535 : 0;
    weft_node pair[2];
    weft_status status = steps ? SUBGRAPH_ADD("luminance_steps", inputs, 1, &pair[0], {"steps", steps}, {"whole", 1})
                               : weft_graph_add(graph, "grayscale", inputs, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = blur(graph, p, &pair[0], (double)p->border_value * (steps ? steps : 1), &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("adaptive_compare", pair, 2, result, {"offset", p->offset}, {"steps", steps});
    return status;
}
