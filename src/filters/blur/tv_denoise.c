/* SPDX-License-Identifier: MIT */
#define NAME tv_denoise
#define SUMMARY "Take noise away and keep edges: the image of least total variation near the given one, channel by channel"
#define ALIASES "denoise_tv"
#define SOURCE "Rudin, Osher and Fatemi 1992 by Chambolle 2004, as scikit-image's denoise_tv_chambolle after so many steps"
#define EXAMPLE "tv_denoise=0.15"
#define TOLERANCE 1e-4
#define ALPHA_DOC "colors are taken straight, whatever their alpha, which is kept"
#define PARAMS                                                                                                         \
    FLOAT(weight, 0.1, 0.0001, 1000, "", "how smooth the result is")                                                   \
    INT(iterations, 30, 1, 200, "",                                                                                    \
        "steps; more of them come nearer to the least variation; of 84 and more the rounding of f32 "                  \
        "was seen to grow to 0.001 in a few pixels, as in scikit-image")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

#define OUTSIDE -3.0e38

/* A matrix of 4 x 4 whose rows take a color of a grey pixel where `rows` says so. */
static weft_status place(weft_graph *graph, weft_node input, bool red, bool green, bool blue, weft_node *node,
                         weft_error *error) {
    const double matrix[16] = {red, 0, 0, 0, green, 0, 0, 0, blue, 0, 0, 0, 0, 0, 0, 1};
    weft_status status = weft_graph_add(graph, "color_matrix", &input, 1, node, error);
    return status == WEFT_OK ? weft_graph_set(graph, *node, "matrix", matrix, 16, error) : status;
}

static weft_status denoise(weft_graph *graph, const struct BLOCK *p, weft_node plane, weft_node *result,
                           weft_error *error) {
    weft_status status = place(graph, plane, false, false, true, result, error);
    for (int i = 0; status == WEFT_OK && i < p->iterations; i++)
        status = SUBGRAPH_ADD("tv_step", result, 1, result, {"weight", p->weight}, {"result", i == p->iterations - 1},
                              {"border", WEFT_BORDER_CONSTANT}, {"border_value", OUTSIDE});
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t count = info->format.channels - (info->alpha != WEFT_ALPHA_NONE) >= 2 ? 3 : 1;
    weft_node colors = -1, plane = -1, sum[2] = {-1, -1}, ends[2] = {*inputs, -1};
    weft_status status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    for (int k = 0; status == WEFT_OK && k < count; k++) {
        const double weights[3] = {k == 0, k == 1, k == 2};
        plane = colors;
        if (count == 3)
            status = weft_graph_add(graph, "grayscale", &colors, 1, &plane, error);
        if (status == WEFT_OK && count == 3)
            status = weft_graph_set(graph, plane, "weights", weights, 3, error);
        if (status == WEFT_OK)
            status = denoise(graph, p, plane, &sum[1], error);
        if (status == WEFT_OK && count == 3)
            status = place(graph, sum[1], k == 0, k == 1, k == 2, &sum[1], error);
        if (status == WEFT_OK && k > 0)
            status = weft_graph_add(graph, "sum_of", sum, 2, &sum[0], error);
        else
            sum[0] = sum[1];
    }
    ends[1] = sum[0];
    return status == WEFT_OK ? weft_graph_add(graph, "kuwahara_show", ends, 2, result, error) : status;
}
