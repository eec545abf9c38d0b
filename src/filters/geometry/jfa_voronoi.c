/* SPDX-License-Identifier: MIT
 * Jump flooding: each pixel asks those 2^k away which seed they know, for falling k, and once more those beside it. A few
 * pixels of ten thousand learn of a seed that is a little further than the nearest. */
#define NAME jfa_voronoi
#define SUMMARY "For each pixel the nearest one that is bright: its place, in pixels, or how far it is"
#define ALIASES "voronoi"
#define SOURCE "Rong and Tan 2006; GPUImage's GPUImageJFAVoronoiFilter"
#define EXAMPLE "canny,jfa_voronoi=result=distance,exposure=-5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    CHOICE(result, 0, "places|distance|square",                                                                        \
           "places: column and row of the seed as red and green; distance in pixels, or its square, as grey")          \
    FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels whose luminance is at least this are seeds")
#define ALPHA_DOC "transparent pixels are black; the result has no alpha"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int64_t side = info->width > info->height ? info->width : info->height, step = 1;
    weft_node pair[2] = {-1, -1};
    weft_status status = weft_graph_add(graph, "luminance_over_black", inputs, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("jfa_seed", pair, 1, &pair[0], {"threshold", p->threshold});
    while (step * 2 < side)
        step *= 2;
    for (int last = 0; status == WEFT_OK && last < 2; step /= 2) {
        last += step <= 1;
        step = step < 1 ? 1 : step;
        pair[1] = pair[0];
        status = SUBGRAPH_ADD("jfa_step", pair, 2, &pair[0], {"step", (double)step});
    }
    *result = pair[0];
    return status == WEFT_OK ? SUBGRAPH_ADD("jfa_show", pair, 1, result, {"result", p->result}) : status;
}
