/* SPDX-License-Identifier: MIT */
#define NAME tensor_pack
#define SUMMARY "Make what neural networks take: the image resized and scaled, its three planes below one another"
#define SOURCE "aoce's NcnnInLayer; resized without aliasing"
#define EXAMPLE "tensor_pack=160:120:scale=0.004"
#define TOLERANCE 1e-4
#define ALPHA_DOC "colors are taken straight, whatever their alpha; the result has none"
#define PARAMS                                                                                                         \
    INT(width, 224, 1, 1000000, "px", "of each plane")                                                                 \
    INT(height, 224, 1, 1000000, "px", "of each plane")                                                                \
    COLOR(mean, 0, 0, 0, 0, -UNBOUNDED, UNBOUNDED, "taken away from levels 0 to 255")                                  \
    COLOR(scale, 1, 1, 1, 1, -UNBOUNDED, UNBOUNDED, "what is left is multiplied by this")                              \
    CHOICE(order, 0, "rgb|bgr", "of the planes")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double scale[3] = {(double)p->scale.x, (double)p->scale.y, (double)p->scale.z};
    const double mean[3] = {(double)p->mean.x, (double)p->mean.y, (double)p->mean.z};
    double matrix[16] = {0}, bias[4] = {0};
    weft_node colors = -1, small = -1, scaled = -1, plane = -1, pair[2] = {-1, -1};
    for (int k = 0; k < 3; k++)
        matrix[5 * k] = 255 * scale[k], bias[k] = -mean[k] * scale[k];
    matrix[15] = 1;
    weft_status status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("resize", &colors, 1, &small, {"width", p->width}, {"height", p->height}, {"method", 1});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "color_matrix", &small, 1, &scaled, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, scaled, "matrix", matrix, 16, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, scaled, "bias", bias, 4, error);
    for (int k = 0; status == WEFT_OK && k < 3; k++) {
        int which = p->order == 0 ? k : 2 - k;
        const double weights[3] = {which == 0, which == 1, which == 2};
        status = weft_graph_add(graph, "grayscale", &scaled, 1, &plane, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, plane, "weights", weights, 3, error);
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("pad", &plane, 1, &pair[1], {"top", (double)k * p->height},
                                  {"bottom", (2.0 - k) * p->height}, {"border", WEFT_BORDER_CONSTANT});
        if (status == WEFT_OK && k > 0)
            status = weft_graph_add(graph, "sum_of", pair, 2, &pair[0], error);
        else
            pair[0] = pair[1];
    }
    *result = pair[0];
    return status;
}
