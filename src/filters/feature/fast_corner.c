/* SPDX-License-Identifier: MIT
 * As OpenCV's FAST: neighbors of equal score suppress each other, and the 3 pixels at each edge, whose circle leaves the
 * image, are no corners. A score here is the largest difference that the arc reaches, OpenCV's in 8 bits is one less. */
#define NAME fast_corner
#define SUMMARY "Find corners by FAST: an arc of the circle around the pixel is all brighter or all darker"
#define ALIASES "fast"
#define SOURCE "Rosten and Drummond 2006; the set of corners is that of OpenCV's FAST"
#define EXAMPLE "split[a][b];[b]fast_corner=0.2:result=mask,dilate=1[c];[a][c]blend_add"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.08, 0, 1, "", "the arc has to differ by more than this; 1 is full scale")                       \
    CHOICE(arc, 0, "9|12", "how many of the circle's 16 pixels in a row have to differ")                               \
    BOOL(suppress, 1, "only corners whose score is above that of all 8 neighbors")                                     \
    CHOICE(result, 0, "value|mask", "the score of the corner, or 1")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node node, next;
    weft_status status = SUBGRAPH_ADD("luminance_over_black", inputs, 1, &node,
                                      {"straight", info->alpha == WEFT_ALPHA_STRAIGHT});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("fast_score", &node, 1, &next, {"threshold", p->threshold}, {"arc", p->arc});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("clear_margin", &next, 1, result, {"margin", 3});
    if (status == WEFT_OK && p->suppress) {
        node = *result;
        status = SUBGRAPH_ADD("nms", &node, 1, result, {"ties", 1});
    }
    if (status == WEFT_OK && p->result == 1) {
        node = *result;
        status = SUBGRAPH_ADD("luminance_threshold", &node, 1, result, {"threshold", 1.0 / 131072});
    }
    return status;
}
