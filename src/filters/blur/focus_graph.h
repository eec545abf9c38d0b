/* SPDX-License-Identifier: MIT
 * What blurs inside or outside a circle share: the image and its gaussian blur, joined by focus_mix. With FIRST_SHARP the inside is
 * sharp. PARAMS is FOCUS_PARAMS, with defaults and docs of its own. */
#define FOCUS_PARAMS(RADIUS, RADIUS_DOC, FALL_OFF, FALL_OFF_DOC)                                                       \
    FLOAT(sigma, 5, 0, 10000, "px", "standard deviation of the blur")                                                  \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "of the circle, from 0|0 at the top left to 1|1")              \
    FLOAT(radius, RADIUS, 0, 10, "", RADIUS_DOC)                                                                       \
    FLOAT(fall_off, FALL_OFF, 0, 10, "", FALL_OFF_DOC)                                                                 \
    BORDER_PARAMS
#define TOLERANCE 1
#define STEADY_TOLERANCE 4e-5
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->sigma == 0) { /* then colors under an alpha of 0 stay, too */
        *result = *inputs;
        return WEFT_OK;
    }
    const double center[2] = {(double)p->center[0], (double)p->center[1]};
    weft_node blurred;
    weft_status status = SUBGRAPH_ADD("gaussian", inputs, 1, &blurred, {"sigma", p->sigma}, {"border", p->border},
                                      {"border_value", p->border_value});
    const weft_node pair[2] = {FIRST_SHARP ? *inputs : blurred, FIRST_SHARP ? blurred : *inputs};
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("focus_mix", pair, 2, result, {"radius", p->radius}, {"fall_off", p->fall_off});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "center", center, 2, error) : status;
}
