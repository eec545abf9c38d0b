/* SPDX-License-Identifier: MIT */
#define NAME unsharp_mask
#define SUMMARY "Sharpen: add the difference between the image and its gaussian blur"
#define ALIASES "unsharp"
#define EXAMPLE "unsharp_mask=3:1.2"
#define TOLERANCE 1.5e-4
#define PARAMS                                                                                                         \
    FLOAT(sigma, 2, 0, 10000, "px", "width of the blur: the size of the detail that is lifted")                        \
    FLOAT(amount, 1, -1, 10, "", "factor on the difference; 0 keeps the image")                                        \
    FLOAT(threshold, 0, 0, 1, "", "smaller differences are left alone: they are noise; 1 is full scale")               \
    BORDER_PARAMS
#include "filter/help/border.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const struct { const char *name; double value; } settings[] = {
        {"sigma", p->sigma}, {"border", p->border}, {"border_value", p->border_value},
        {"amount", p->amount}, {"threshold", p->threshold}};
    weft_node pair[2] = {*inputs, -1};
    weft_status status = weft_graph_add(graph, "gaussian", inputs, 1, &pair[1], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "detail_boost", pair, 2, result, error);
    for (int i = 0; status == WEFT_OK && i < 5; i++)
        status = weft_graph_set(graph, i < 3 ? pair[1] : *result, settings[i].name, &settings[i].value, 1, error);
    return status;
}
