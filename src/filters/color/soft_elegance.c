/* SPDX-License-Identifier: MIT */
#define NAME soft_elegance
#define SUMMARY "A look of two tables, which are the second and third input, with a soft glow between them"
#define SOURCE "GPUImage's GPUImageSoftEleganceFilter; the tables are the user's"
#define EXAMPLE                                                                                                        \
    "identity_table=33,contrast=1.2[one];identity_table=33,saturation=0.7[two];[0][one][two]soft_elegance"
#define TOLERANCE 2e-4
#define INPUTS 3
#define PARAMS                                                                                                         \
    FLOAT(sigma, 10, 0, 10000, "px", "standard deviation of the glow")                                                 \
    FLOAT(mix, 0.14, 0, 1, "", "share of the glow")                                                                    \
    BORDER_PARAMS
#include "filter/border.h"
#include "filter/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node pair[2] = {-1, -1}, mixed;
    weft_status status = weft_graph_add(graph, "lut3d", inputs, 2, &pair[0], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gaussian", &pair[0], 1, &pair[1], {"sigma", p->sigma}, {"border", p->border},
                              {"border_value", p->border_value});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("blend_dissolve", pair, 2, &mixed, {"mix", p->mix});
    const weft_node looked[2] = {mixed, inputs[2]};
    return status == WEFT_OK ? weft_graph_add(graph, "lut3d", looked, 2, result, error) : status;
}
