/* SPDX-License-Identifier: MIT
 * Ellipses and crosses are unions of rectangles around the same place, so that the largest value over them is the largest of
 * as many rectangles'; each costs the same whatever its size. */
#define NAME structure
#define SUMMARY "Dilate, erode, open or close by an ellipse, a cross or a rectangle"
#define ALIASES "structuring_element morphology"
#define SOURCE "OpenCV's morphologyEx and getStructuringElement"
#define EXAMPLE "structure=open:ellipse:5"
#define EXACT true
#define ALPHA_DOC "every channel by itself: colors straight, and alpha like a color"
#define PARAMS                                                                                                         \
    CHOICE(op, 0, "dilate|erode|open|close", "what to do")                                                             \
    CHOICE(shape, 0, "ellipse|cross|rectangle", "what lies around each pixel")                                         \
    INT(radius, 3, 0, 100, "px", "the shape is 2 radius + 1 wide")                                                     \
    AUTO_INT(radius_y, 0, 100, "px", "and 2 radius_y + 1 high; auto is radius")                                        \
    BORDER_PARAMS
#include <math.h>
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* How far the shape reaches to the right and left, `down` rows from its middle. */
static int32_t half_width(const struct BLOCK *p, int32_t high, int32_t down) {
    if (p->shape == 2)
        return p->radius;
    if (p->shape == 1)
        return down == 0 ? p->radius : 0;
    double share = high > 0 ? (double)down / high : 0;
    return (int32_t)rint(p->radius * sqrt(1 - share * share));
}

/* Rectangles as high as each row of the shape, where the row before is wider, joined by the largest or smallest value. */
static weft_status extreme(weft_graph *graph, const struct BLOCK *p, bool largest, weft_node input, weft_node *node,
                           weft_error *error) {
    int32_t high = p->radius_y < 0 ? p->radius : p->radius_y;
    weft_status status = WEFT_OK;
    weft_node pair[2] = {-1, -1};
    for (int32_t down = 0; status == WEFT_OK && down <= high; down++) {
        int32_t wide = half_width(p, high, down);
        if (down < high && half_width(p, high, down + 1) == wide)
            continue;
        status = SUBGRAPH_ADD(largest ? "dilate" : "erode", &input, 1, &pair[1], {"radius", wide}, {"radius_y", down},
                              {"border", p->border}, {"border_value", p->border_value});
        if (status == WEFT_OK && pair[0] >= 0)
            status = SUBGRAPH_ADD("extreme_of", pair, 2, &pair[0], {"op", largest ? 0 : 1});
        else
            pair[0] = pair[1];
    }
    *node = pair[0];
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_status status = extreme(graph, p, p->op == 0 || p->op == 3, *inputs, result, error);
    return status == WEFT_OK && p->op >= 2 ? extreme(graph, p, p->op == 2, *result, result, error) : status;
}
