/* SPDX-License-Identifier: MIT
 * Each scale is the one before at half the size, by means of 2 x 2 pixels; an odd last row or column is left out. */
#define NAME ms_ssim
#define SUMMARY                                                                                                                    \
    "How alike two images look at several sizes, as a number for each color, 1 at most: multi-scale structural similarity"
#define SOURCE "Wang, Simoncelli and Bovik 2003: five scales, or as many as have 11 pixels a side, their weights in proportion"
#define EXAMPLE "split[a][b];[b]gaussian=2[c];[a][c]ms_ssim"
#define TOLERANCE 5e-3
#define INPUTS 2
#define ALPHA_DOC "colors are taken straight; alpha is not compared"
#include "filters/compare/ssim.h"
#include "filter/composite.h"

static const double weights[5] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

/* The mean over the windows that are whole, to some power. */
static weft_status share(weft_graph *graph, weft_node map, int64_t width, int64_t height, double power, weft_node *node,
                         weft_error *error) {
    weft_status status = WEFT_OK;
    if (width > 10 && height > 10)
        status = SUBGRAPH_ADD("crop", &map, 1, &map, {"x", 5}, {"y", 5}, {"width", (double)(width - 10)},
                              {"height", (double)(height - 10)});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "reduce", &map, 1, &map, error);
    return status == WEFT_OK ? SUBGRAPH_ADD("gamma", &map, 1, node, {"gamma", power}) : status;
}

static weft_status halve(weft_graph *graph, weft_node *image, int64_t width, int64_t height, weft_error *error) {
    enum { AREA = 4 };
    weft_status status = SUBGRAPH_ADD("crop", image, 1, image, {"width", (double)(2 * width)}, {"height", (double)(2 * height)});
    return status == WEFT_OK ? SUBGRAPH_ADD("resample", image, 1, image, {"width", (double)width}, {"height", (double)height},
                                            {"method", AREA})
                             : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct ssim_border border = {WEFT_BORDER_MIRROR, 0};
    int64_t width = info->width, height = info->height, side = width < height ? width : height;
    int scales = 1;
    double sum = weights[0];
    weft_node images[2] = {-1, -1}, light = -1, structure = -1, part = -1, all = -1;
    weft_status status = WEFT_OK;
    (void)block;
    for (; scales < 5 && side >> scales >= 11; scales++)
        sum += weights[scales];
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = weft_graph_add(graph, "alpha_remove", &inputs[i], 1, &images[i], error);
    for (int k = 0; status == WEFT_OK && k < scales; k++) {
        status = ssim_maps(graph, &border, images, &light, &structure, error);
        if (status == WEFT_OK && k == scales - 1)
            status = ssim_join(graph, "product_of", light, structure, &structure, error);
        if (status == WEFT_OK)
            status = share(graph, structure, width, height, weights[k] / sum, &part, error);
        if (status == WEFT_OK && k > 0)
            status = ssim_join(graph, "product_of", all, part, &all, error);
        else
            all = part;
        width /= 2, height /= 2;
        for (int i = 0; status == WEFT_OK && i < 2 && k < scales - 1; i++)
            status = halve(graph, &images[i], width, height, error);
    }
    return status == WEFT_OK ? weft_graph_add(graph, "reduce", &all, 1, result, error) : status; /* numbers again */
}
