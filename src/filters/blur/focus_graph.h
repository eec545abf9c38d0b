/* SPDX-License-Identifier: MIT
 * What blurs inside or outside a circle share: the image and its gaussian blur, joined by focus_mix. With FIRST_SHARP the inside is
 * sharp. */
#define TOLERANCE 1
#define STEADY_TOLERANCE 4e-5
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double center[2] = {(double)p->center[0], (double)p->center[1]};
    weft_node blurred;
    weft_status status = SUBGRAPH_ADD("gaussian", inputs, 1, &blurred, {"sigma", p->sigma}, {"border", p->border},
                                      {"border_value", p->border_value});
    const weft_node pair[2] = {FIRST_SHARP ? *inputs : blurred, FIRST_SHARP ? blurred : *inputs};
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("focus_mix", pair, 2, result, {"radius", p->radius}, {"fall_off", p->fall_off});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "center", center, 2, error) : status;
}
