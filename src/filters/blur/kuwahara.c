/* SPDX-License-Identifier: MIT
 * Means and variances of the four squares are the same four numbers of one square, seen from its corners: box sums make them,
 * whatever the radius, and each pixel chooses among four places. Kernels of GPUs make means and variances in one pass, the
 * choice in a second (kernels/gpu/window/squares.h). */
#define NAME kuwahara
#define SUMMARY "Paint: each pixel is the mean of that of four squares at its corners in which colors vary least"
#define ALIASES "kuwahara_r3"
#define SOURCE "Kuwahara 1976; GPUImage's GPUImageKuwaharaFilter, with steps of one pixel"
#define EXAMPLE "kuwahara=5"
#define TOLERANCE 1
#define ALPHA_DOC "colors are taken straight, whatever their alpha, which is kept"
#define PARAMS                                                                                                         \
    INT(radius, 3, 0, 1000, "px", "the squares are radius + 1 wide, with the pixel at a corner; 0 keeps the image")    \
    BORDER_PARAMS
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC "what lies outside the image"
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#define SQUARES true
#include "filter/patch.h"

/* The mean over `wide` pixels each way: a box, or weights, of which an even number has one 0 behind it. */
static weft_status square_mean(weft_graph *graph, weft_node input, int32_t wide, weft_node *mean, weft_error *error) {
    if (wide % 2 == 1)
        return SUBGRAPH_ADD("box", &input, 1, mean, {"radius", wide / 2});
    double *weights = weft_allocate((size_t)wide + 1, sizeof *weights);
    if (!weights)
        return weft_fail_memory(error, ((size_t)wide + 1) * sizeof *weights, "the weights of a square");
    for (int32_t k = 0; k < wide; k++)
        weights[k] = 1.0 / wide;
    weft_status status = weft_graph_add(graph, "correlate_separable", &input, 1, mean, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *mean, "row", weights, wide + 1, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *mean, "column", weights, wide + 1, error);
    weft_free(weights);
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t r = p->radius, wide = r + 1, at = wide / 2;
    weft_node colors = -1, padded = -1, square = -1, pair[2] = {-1, -1}, scores = -1, best = -1;
    *result = *inputs;
    if (r == 0)
        return WEFT_OK;
    weft_status status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("pad", &colors, 1, &padded, {"left", r}, {"top", r}, {"right", r}, {"bottom", r},
                              {"border", p->border}, {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = square_mean(graph, padded, wide, &pair[0], error);
    const weft_node twice[2] = {padded, padded};
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "product_of", twice, 2, &square, error);
    if (status == WEFT_OK)
        status = square_mean(graph, square, wide, &pair[1], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "kuwahara_score", pair, 2, &scores, error);
    for (int k = 0; status == WEFT_OK && k < 4; k++) { /* top left, top right, bottom left, bottom right */
        int32_t right = k % 2, below = k / 2;
        status = SUBGRAPH_ADD("crop", &scores, 1, &pair[1], {"x", at + right * r}, {"y", at + below * r},
                              {"width", (double)info->width}, {"height", (double)info->height});
        pair[0] = best;
        if (status == WEFT_OK && k > 0)
            status = weft_graph_add(graph, "kuwahara_choose", pair, 2, &best, error);
        else
            best = pair[1];
    }
    const weft_node ends[2] = {*inputs, best};
    return status == WEFT_OK ? weft_graph_add(graph, "kuwahara_show", ends, 2, result, error) : status;
}
