/* SPDX-License-Identifier: MIT */
#define NAME hough_lines
#define SUMMARY "Find straight lines: a picture of angles and distances, bright where many edge pixels lie on one line"
#define ALIASES "hough hough_transform"
#define SOURCE "Duda and Hart 1972, counted as OpenCV's HoughLines counts; GPUImage's GPUImageHoughTransformLineDetector"
#define EXAMPLE "crop=0:0:160:120,hough_lines=0.2"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.12, 0, 10, "", "least number of pixels of a line, as a share of the larger side of the image")  \
    INT(angles, 180, 1, 3600, "", "columns of the result: column k is k half turns over all; a line lies across its angle")\
    CHOICE(result, 0, "lines|votes",                                                                                   \
           "lines: maxima alone, 0 elsewhere, as a .csv lists them; votes: every angle and distance")                  \
    BOOL(edges, 1, "find edges by canny first; without, pixels from 0.5 up are counted as they come")
#define ALPHA_DOC "transparent pixels are black; the result has no alpha"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* Row width + height is distance 0 from the top left pixel; each row is a pixel more. */
static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node sheet = -1, pair[2] = {-1, -1}, votes = -1;
    double rows = 2 * ((double)info->width + (double)info->height) + 1;
    weft_status status = p->edges ? weft_graph_add(graph, "canny", inputs, 1, &pair[1], error)
                                  : weft_graph_add(graph, "luminance_over_black", inputs, 1, &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient", NULL, 0, &sheet, {"width", p->angles}, {"height", rows}, {"channels", 1});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &sheet, 1, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("hough_look", pair, 2, &votes, {"angles", p->angles});
    *result = votes;
    return status == WEFT_OK && p->result == 0 ? SUBGRAPH_ADD("nms", &votes, 1, result, {"threshold", p->threshold}) : status;
}
