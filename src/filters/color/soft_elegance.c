/* SPDX-License-Identifier: MIT
 * The tables are the caller's: those of GPUImage derive from others' work. */
#define NAME soft_elegance
#define SUMMARY "A look of two tables of colors, the second and third input, with some blur between them"
#define SOURCE "GPUImage's GPUImageSoftEleganceFilter"
#define EXAMPLE "identity_table=16,exposure=0.3[l];identity_table=16,saturation=0.7[m];[0][l][m]soft_elegance"
#define INPUTS 3
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(sigma, 10, 0, 10000, "px", "standard deviation of the blur")                                                 \
    FLOAT(mix, 0.14, 0, 1, "", "share of the blurred picture")                                                         \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node look = -1, pair[2] = {-1, -1}, last[2] = {-1, inputs[2]};
    weft_status status = weft_graph_add(graph, "lut3d", inputs, 2, &look, error);
    pair[0] = look;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &look, 1, &pair[1], {"sigma", p->sigma}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("blend_dissolve", pair, 2, &last[0], {"mix", p->mix});
    return status == WEFT_OK ? weft_graph_add(graph, "lut3d", last, 2, result, error) : status;
}
