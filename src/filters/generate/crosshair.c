/* SPDX-License-Identifier: MIT
 * Any number of places: the marks are drawn by point filters of 16 each, which fuse into one pass. GPUImage's form draws
 * on nothing: of the image its size alone counts. */
#define NAME crosshair
#define SUMMARY "Mark places of the image by crosshairs: lines of one pixel, one across and one down"
#define ALIASES "crosshairs"
#define EXAMPLE "crosshair=0.54|0.36|0.63|0.38|0.59|0.55:41"
#define CHANNELS COLOR
#define PARAMS                                                                                                         \
    LIST(points, "0.5|0.5", "x and y of each place")                                                                   \
    INT(width, 5, 1, 1000000, "px", "length of the lines; of an even length, one pixel more lies before the place")    \
    COLOR(color, 0, 1, 0, 1, -UNBOUNDED, UNBOUNDED,                                                                    \
          "of the lines; with its alpha over the image, once for each place")                                          \
    CHOICE(unit, 0, "share|pixel", "shares of the image's sides, from 0|0 at the top left to 1|1, or pixels")          \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: squares over black, each with lines about a tenth of its side wide")
#define CHECK check
#include <math.h>
#include "filter/composite.h"

enum { MARKS = 16 };

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->points.count % 2 == 0)
        return WEFT_OK;
    weft_fail(error, WEFT_ERROR_PARAMETER, "points are pairs of x and y, not %d numbers", (int)p->points.count);
    weft_error_at(error, -1, NULL, "points");
    return WEFT_ERROR_PARAMETER;
}

/* Where a coordinate is drawn: the number of a pixel, or, for GPUImage, a place between pixels. */
static double place_of(const struct BLOCK *p, double v, double side) {
    if (p->compat != 0)
        return p->unit == 0 ? v * side : v + 0.5;
    return p->unit == 0 ? fmin(floor(v * side), v == 1 ? side - 1 : v * side) : floor(v + 0.5);
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double width = p->width, color[4] = {p->color.x, p->color.y, p->color.z, p->color.w};
    static const double nothing[16] = {0};
    weft_status status = WEFT_OK;
    *result = *inputs;
    if (p->compat != 0) {
        status = weft_graph_add(graph, "color_matrix", inputs, 1, result, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, *result, "matrix", nothing, 16, error);
    }
    for (int32_t first = 0; first < p->points.count && status == WEFT_OK; first += 2 * MARKS) {
        double places[2 * MARKS];
        for (int32_t k = 0; k < 2 * MARKS; k++) {
            bool given = first + k < p->points.count;
            double side = (double)(k % 2 ? info->height : info->width);
            places[k] = given ? place_of(p, p->points.values[first + k], side) : -1e9;
        }
        weft_node node;
        status = weft_graph_add(graph, p->compat != 0 ? "crosshair_squares" : "crosshair_marks", result, 1, &node, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, node, "places", places, 2 * MARKS, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, node, "width", &width, 1, error);
        if (status == WEFT_OK)
            status = weft_graph_set(graph, node, "color", color, 4, error);
        *result = node;
    }
    return status;
}
