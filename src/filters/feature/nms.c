/* SPDX-License-Identifier: MIT
 * Pixels outside the image are smaller than all inside: a pixel is not to be suppressed by its own reflection. */
#define NAME nms
#define SUMMARY "Keep local maxima and make all else 0: non-maximum suppression, per channel"
#define ALIASES "non_maximum_suppression"
#define EXAMPLE "sobel,gaussian=1.5,nms=3:0.3:result=mask,dilate=1"
#define TOLERANCE 1
#define PARAMS MAXIMA_PARAMS
#define OUTSIDE -3.0e38
#include "filters/feature/maxima.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    return SUBGRAPH_ADD("local_maxima", inputs, 1, result, {"radius", p->radius}, {"threshold", p->threshold},
                        {"ties", p->ties}, {"result", p->result}, {"border", WEFT_BORDER_CONSTANT},
                        {"border_value", OUTSIDE});
}
