/* SPDX-License-Identifier: MIT */
#define NAME tensor_unpack
#define SUMMARY "Make an image of what neural networks give: three planes below one another, or one"
#define SOURCE "aoce's NcnnUploadLayer"
#define EXAMPLE "tensor_pack=160:120,tensor_unpack"
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    CHOICE(planes, 0, "3|1", "how many there are; of three the height must be a multiple")                             \
    FLOAT(scale, 0.0039215686, -UNBOUNDED, UNBOUNDED, "", "numbers are multiplied by this; the default is 1 / 255")
#include "base/status.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double scale = (double)p->scale;
    double height = (double)(info->height / 3), matrix[16] = {0};
    weft_node plane = -1, pair[2] = {-1, -1};
    weft_status status = WEFT_OK;
    if (p->planes == 0 && info->height % 3 != 0)
        return weft_fail(error, WEFT_ERROR_FORMAT, "three planes below one another are a multiple of 3 rows high, not %lld",
                         (long long)info->height);
    for (int k = 0; status == WEFT_OK && k < (p->planes == 0 ? 3 : 1); k++) {
        for (int i = 0; i < 16; i++) /* the plane as that color alone, or as all */
            matrix[i] = i == 15 ? 1 : i % 4 == 0 && i < 12 && (p->planes == 1 || i / 4 == k) ? scale : 0;
        plane = *inputs;
        if (p->planes == 0)
            status = SUBGRAPH_ADD("crop", inputs, 1, &plane, {"y", k * height}, {"width", (double)info->width}, {"height", height});
        if (status == WEFT_OK)
            status = weft_graph_add(graph, "color_matrix", &plane, 1, &pair[1], error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, pair[1], "matrix", matrix, 16, error);
        if (status == WEFT_OK && k > 0)
            status = weft_graph_add(graph, "sum_of", pair, 2, &pair[0], error);
        else
            pair[0] = pair[1];
    }
    *result = pair[0];
    return status == WEFT_OK && p->planes == 1 ? weft_graph_add(graph, "grayscale", &pair[0], 1, result, error) : status;
}
