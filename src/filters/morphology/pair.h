/* SPDX-License-Identifier: MIT
 * What opening and closing are: the composite of FIRST, then SECOND, over the same rectangle. */
#define PARAMS                                                                                                         \
    INT(radius, 1, 0, 10000, "px", "the rectangle is 2 radius + 1 wide; 0 keeps the image")                            \
    AUTO_INT(radius_y, 0, 10000, "px", "and 2 radius_y + 1 high; auto is radius")                                      \
    BORDER_PARAMS
#define EXACT true
#define ALPHA_DOC "every channel by itself: colors straight, and alpha like a color"
#define SOURCE "Serra 1982"
#include "filter/help/border.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const struct { const char *name; double value; } settings[] = {
        {"radius", p->radius}, {"radius_y", p->radius_y}, {"border", p->border}, {"border_value", p->border_value}};
    weft_node node = *inputs;
    weft_status status = WEFT_OK;
    for (int step = 0; status == WEFT_OK && step < 2; step++) {
        weft_node input = node;
        status = weft_graph_add(graph, step == 0 ? FIRST : SECOND, &input, 1, &node, error);
        for (size_t i = 0; status == WEFT_OK && i < sizeof settings / sizeof *settings; i++)
            status = weft_graph_set(graph, node, settings[i].name, &settings[i].value, 1, error);
    }
    *result = node;
    return status;
}
