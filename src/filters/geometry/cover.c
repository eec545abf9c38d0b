/* SPDX-License-Identifier: MIT */
#define NAME cover
#define SUMMARY "Bring the image to the size of the second: scaled to cover it, and what lies beyond it cut off"
#define EXAMPLE "split[a][b];[b]crop=0:0:300:300[c];[a][c]cover"
#define TOLERANCE 4e-6
#define INPUTS 2
#define PARAMS                                                                                                         \
    CHOICE(method, 2, "nearest|bilinear|bicubic|lanczos3|area", "the interpolation, as in resize")                     \
    CHOICE(gravity, 0, GRAVITIES, "which part of the image is kept")
#include "filters/geometry/gravity.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double size[2] = {(double)info[1].width, (double)info[1].height};
    weft_status status = SUBGRAPH_ADD("resize", inputs, 1, result, {"method", p->method}, {"gravity", p->gravity},
                                      {"enlarge", 1});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "fill", size, 2, error) : status;
}
