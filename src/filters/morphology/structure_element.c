/* SPDX-License-Identifier: MIT
 * The element is taken apart into its runs: pixels of a row that follow one another. Of an odd number of them the extremum is one
 * over a rectangle, seen from beside; of an even number it is that of two which overlap. Runs of one length share theirs. */
#define NAME structure_element
#define SUMMARY "Dilate, erode, open, close and their differences by a structuring element of any shape, given pixel by pixel"
#define ALIASES "morphology_element"
#define SOURCE "OpenCV's morphologyEx with a kernel"
#define EXAMPLE "structure_element=open:0|0|1|0|0|0|1|1|1|0|1|1|1|1|1|0|0|1|0|0|0|0|1|0|0"
#define PARAMS                                                                                                         \
    CHOICE(op, 0, "dilate|erode|open|close|gradient|top_hat|black_hat",                                                \
           "open: erode, then dilate; close: the other way round; gradient: dilated less eroded; top_hat: the image less its " \
           "opening; black_hat: its closing less the image")                                                           \
    LIST(element, "0|1|0|1|1|1|0|1|0",                                                                                  \
         "in rows, top left first: what is not 0 belongs to it; the tool takes a picture, too: /element=FILE")          \
    AUTO_INT(columns, 1, 63, "", "numbers in a row; auto is for square elements; column columns / 2 lies on the pixel")\
    BORDER_PARAMS
#define BORDERS "replicate|mirror|symmetric|wrap|constant"
#define BORDER_DOC "what lies outside the image"
#define CHECK check
#define ALPHA_DOC "every channel by itself: colors straight, and alpha like a color; differences keep the image's alpha"
#include <math.h>
#include "base/status.h"
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

enum { MOST = 63 };

static int32_t columns_of(const struct BLOCK *p) {
    return p->columns > 0 ? p->columns : (int32_t)floor(sqrt((double)p->element.count) + 0.5);
}
static bool belongs(const struct BLOCK *p, int32_t x, int32_t y) {
    int32_t columns = columns_of(p);
    return x < columns && p->element.values[y * columns + x] != 0;
}

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t columns = columns_of(p), rows = columns > 0 ? p->element.count / columns : 0;
    bool any = false;
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < p->element.count; i++)
        any = any || p->element.values[i] != 0;
    if (rows < 1 || rows > MOST || columns > MOST || columns * rows != p->element.count)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "element has %d numbers; it takes whole rows of %d, at most %d x %d",
                           (int)p->element.count, (int)columns, MOST, MOST);
    else if (!any)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "element has no pixel: one of its numbers must not be 0");
    if (status != WEFT_OK)
        weft_error_at(error, -1, NULL, "element");
    return status;
}

/* An extremum over the element while it is made. */
struct extreme {
    weft_graph *graph;
    const struct BLOCK *p;
    bool largest;
    double width, height;
    weft_node padded, lines[MOST / 2 + 1], result; /* over 2 k + 1 pixels of a row; -1: none yet */
};

/* Takes in the pixels from .. from + 2 radius of row y of the element. */
static weft_status take_line(struct extreme *e, int32_t from, int32_t radius, int32_t y, weft_error *error) {
    weft_graph *graph = e->graph;
    weft_node pair[2] = {e->result, -1}, *line = &e->lines[radius];
    weft_status status = WEFT_OK;
    if (*line < 0)
        status = SUBGRAPH_ADD(e->largest ? "dilate" : "erode", &e->padded, 1, line, {"radius", radius}, {"radius_y", 0},
                              {"border", WEFT_BORDER_REPLICATE});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("crop", line, 1, &pair[1], {"x", from + radius}, {"y", y}, {"width", e->width},
                              {"height", e->height});
    e->result = pair[1];
    return status == WEFT_OK && pair[0] >= 0 ? SUBGRAPH_ADD("extreme_of", pair, 2, &e->result, {"op", e->largest ? 0 : 1})
                                             : status;
}

static weft_status add_extreme(weft_graph *graph, const struct BLOCK *p, bool largest, weft_node input,
                               const weft_image_info *info, weft_node *result, weft_error *error) {
    int32_t columns = columns_of(p), rows = p->element.count / columns;
    struct extreme e = {graph, p, largest, (double)info->width, (double)info->height, -1, {0}, -1};
    for (int32_t k = 0; k <= MOST / 2; k++)
        e.lines[k] = -1;
    weft_status status = SUBGRAPH_ADD("pad", &input, 1, &e.padded, {"left", columns / 2}, {"top", rows / 2},
                                      {"right", columns - 1 - columns / 2}, {"bottom", rows - 1 - rows / 2},
                                      {"border", p->border}, {"border_value", (double)p->border_value});
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns && status == WEFT_OK; x++) {
            int32_t from = x;
            while (belongs(p, x, y))
                x++;
            int32_t count = x - from, radius = (count - 1) / 2;
            if (count > 0)
                status = take_line(&e, from, radius, y, error);
            if (status == WEFT_OK && count > 0 && count % 2 == 0)
                status = take_line(&e, from + 1, radius, y, error);
        }
    *result = e.result;
    return status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    bool twice = p->op == 2 || p->op == 3 || p->op >= 5, first_largest = p->op == 0 || p->op == 3 || p->op == 4 || p->op == 6;
    weft_node pair[2] = {*inputs, *inputs};
    weft_status status = add_extreme(graph, p, first_largest, *inputs, info, result, error);
    if (status == WEFT_OK && twice)
        status = add_extreme(graph, p, !first_largest, *result, info, result, error);
    if (status != WEFT_OK || p->op < 4)
        return status;
    pair[p->op == 5] = *result; /* the image less its opening; otherwise what was made less */
    if (p->op == 4)
        status = add_extreme(graph, p, false, *inputs, info, &pair[1], error);
    return status == WEFT_OK ? weft_graph_add(graph, "difference_of", pair, 2, result, error) : status;
}
