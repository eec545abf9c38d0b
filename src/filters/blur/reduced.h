/* SPDX-License-Identifier: MIT
 * What blurs of a reduced image share: the mean over areas, and bilinear enlarging to what it was. */
#ifndef FILTERS_BLUR_REDUCED_H
#define FILTERS_BLUR_REDUCED_H
#include "filter/help/subgraph.h"

static inline weft_status reduced_add(weft_graph *graph, weft_node input, double width, double height, weft_node *node,
                                      weft_error *error) {
    enum { AREA = 4 };
    return SUBGRAPH_ADD("resample", &input, 1, node, {"width", width}, {"height", height}, {"method", AREA});
}
static inline weft_status enlarged_add(weft_graph *graph, weft_node input, const weft_image_info *info, weft_node *node,
                                       weft_error *error) {
    enum { BILINEAR = 1 };
    return SUBGRAPH_ADD("resample", &input, 1, node, {"width", (double)info->width}, {"height", (double)info->height},
                        {"method", BILINEAR});
}

#endif
