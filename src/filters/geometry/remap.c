/* SPDX-License-Identifier: MIT */
#define NAME remap
#define SUMMARY "Take each pixel of the image from where a second image, the map, says: x in its red, y in its green"
#define ALIASES "voronoi_consumer"
#define SOURCE "OpenCV's remap; GPUImage's GPUImageVoronoiConsumerFilter with whole places"
#define EXAMPLE "split[a][b];[b]place_map,swirl=angle=0.4[m];[a][m]remap"
#define INPUTS 2
#define TOLERANCE 1 /* where a place is between two pixels in whole numbers */
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    CHOICE(interpolation, 1, "nearest|bilinear|bicubic", "how values between pixels are made; bicubic is OpenCV's, a = -0.75")\
    CHOICE(border, 0, "replicate|mirror|symmetric|wrap|constant", "what lies outside the image")                       \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale")        \
    CHOICE(unit, 0, "pixel|share", "places in pixels, 0|0 being the middle of the first, or shares of the sides, 0 to 1")
#define ALPHA_DOC "colors count by their alpha, which is interpolated too"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    bool straight = info->alpha == WEFT_ALPHA_STRAIGHT && p->interpolation > 0;
    weft_node pair[2] = {inputs[1], inputs[0]}, found = -1;
    weft_status status = straight ? weft_graph_add(graph, "premultiply", inputs, 1, &pair[1], error) : WEFT_OK;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("remap_look", pair, 2, &found, {"interpolation", p->interpolation}, {"border", p->border},
                              {"border_value", p->border_value}, {"unit", p->unit});
    *result = found;
    return status == WEFT_OK && straight ? weft_graph_add(graph, "unpremultiply", &found, 1, result, error) : status;
}
