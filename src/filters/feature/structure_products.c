/* SPDX-License-Identifier: MIT */
#define NAME structure_products
#define SUMMARY "The gradient of luminance: the squares of its parts as red and green, their product as blue"
#define ALIASES "xy_derivative"
#define SOURCE "the structure tensor before its window: Harris and Stephens 1988"
#define EXAMPLE "gaussian=1.5,structure_products"
#define TOLERANCE 2e-5
#define PARAMS                                                                                                         \
    CHOICE(gradient, 0, "sobel|prewitt|scharr", "what finds the gradient")                                             \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the gradient")                                                      \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const char *const operators[] = {"sobel", "prewitt", "scharr"};
    const struct BLOCK *p = block;
    weft_node parts[2];
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = SUBGRAPH_ADD(operators[p->gradient], inputs, 1, &parts[i], {"component", i + 1},
                              {"edge_strength", p->edge_strength}, {"border", p->border},
                              {"border_value", p->border_value});
    return status == WEFT_OK ? weft_graph_add(graph, "gradient_products", parts, 2, result, error) : status;
}
