/* SPDX-License-Identifier: MIT */
#define NAME histogram_plot
#define SUMMARY "Draw the histogram: a column for each bin, in red, green and blue, which add where they overlap"
#define ALIASES "histogram_generator"
#define SOURCE "GPUImage's GPUImageHistogramGenerator, scaled by the largest bin"
#define EXAMPLE "histogram_plot"
#define TOLERANCE 1
#define ALPHA_DOC "colors are counted straight, whatever their alpha; the result has none"
#define PARAMS                                                                                                         \
    INT(width, 256, 1, 100000, "px", "of the plot")                                                                    \
    INT(height, 200, 1, 100000, "px", "of the plot; the fullest bin is as high")                                       \
    INT(bins, 256, 1, 4096, "", "equal parts of [0, 1]")                                                               \
    COLOR(background, 0, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "where no column is")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double back[4] = {(double)p->background.x, (double)p->background.y, (double)p->background.z,
                            (double)p->background.w};
    weft_node sheet = -1, pair[2] = {-1, -1}, colors = -1;
    weft_status status = SUBGRAPH_ADD("gradient", NULL, 0, &sheet, {"width", p->width}, {"height", p->height});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &sheet, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "alpha_remove", inputs, 1, &colors, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("histogram", &colors, 1, &pair[1], {"bins", p->bins});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("histogram_look", pair, 2, result, {"width", p->width}, {"height", p->height});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "background", back, 4, error) : status;
}
