/* SPDX-License-Identifier: MIT
 * A curve is the natural cubic spline through its points (image/spline.h). Before the first point and after the last it stays
 * at their values. */
#define NAME tone_curve
#define SUMMARY "Map values by curves through points: one for each color, then one for all"
#define ALIASES "curves"
#define SOURCE "natural cubic splines, evaluated as such, not by a table"
#define EXAMPLE "tone_curve=all=0|0|0.25|0.15|0.75|0.85|1|1"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    LIST(all, "0|0|1|1", "x and y of each point of the curve that all colors take last, 0 to 1")                       \
    LIST(red, "0|0|1|1", "points of the curve of red")                                                                 \
    LIST(green, "0|0|1|1", "points of the curve of green")                                                             \
    LIST(blue, "0|0|1|1", "points of the curve of blue")
#define CHECK check
#include <stdlib.h>
#include "filters/color/curve_pieces.h"
#include "image/spline.h"
#include "filter/composite.h"

static int by_x(const void *a, const void *b) {
    double x = ((const struct weft_spline_point *)a)->x, other = ((const struct weft_spline_point *)b)->x;
    return (x > other) - (x < other);
}

/* The points of a curve in order of x. */
static int32_t sorted(const weft_list *list, struct weft_spline_point points[CURVE_POINTS]) {
    int32_t count = list->count / 2;
    for (int32_t k = 0; k < count; k++)
        points[k] = (struct weft_spline_point){list->values[2 * k], list->values[2 * k + 1]};
    qsort(points, (size_t)count, sizeof *points, by_x);
    return count;
}

static weft_status check_curve(const char *name, const weft_list *list, weft_error *error) {
    struct weft_spline_point points[CURVE_POINTS];
    bool sane = list->count % 2 == 0 && list->count >= 2 && list->count <= 2 * CURVE_POINTS;
    if (!sane)
        weft_fail(error, WEFT_ERROR_PARAMETER, "a curve is 1 to %d pairs of x and y, not %d numbers", CURVE_POINTS,
                  (int)list->count);
    for (int32_t k = 0; k < list->count && sane; k++) {
        sane = list->values[k] >= 0 && list->values[k] <= 1;
        if (!sane)
            weft_fail(error, WEFT_ERROR_PARAMETER, "points lie between 0|0 and 1|1, which %g does not",
                      list->values[k]);
    }
    int32_t count = sane ? sorted(list, points) : 0;
    for (int32_t k = 1; k < count && sane; k++) {
        sane = points[k].x - points[k - 1].x >= 1e-6;
        if (!sane)
            weft_fail(error, WEFT_ERROR_PARAMETER, "two points of a curve have x = %g, where there can be one",
                      points[k].x);
    }
    if (!sane)
        weft_error_at(error, -1, NULL, name);
    return sane ? WEFT_OK : WEFT_ERROR_PARAMETER;
}

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    weft_status status = check_curve("all", &p->all, error);
    status = status == WEFT_OK ? check_curve("red", &p->red, error) : status;
    status = status == WEFT_OK ? check_curve("green", &p->green, error) : status;
    return status == WEFT_OK ? check_curve("blue", &p->blue, error) : status;
}

static weft_status add_curve(weft_graph *graph, const weft_list *list, double channel, weft_node *node,
                             weft_error *error) {
    struct weft_spline_point points[CURVE_POINTS];
    double second[CURVE_POINTS] = {0}, parts[CURVE_PARTS][CURVE_POINTS] = {{0}};
    int32_t count = sorted(list, points);
    bool identity = count == 2 && points[0].x == 0 && points[0].y == 0 && points[1].x == 1 && points[1].y == 1;
    if (identity)
        return WEFT_OK;
    weft_spline_bend(points, count, second);
    for (int32_t k = 0; k < CURVE_POINTS; k++) {
        parts[0][k] = k < count ? points[k].x : CURVE_NEVER;
        parts[1][k] = k < count ? points[k].y : 0;
    }
    for (int32_t k = 0; k + 1 < count; k++) {
        double factor[3];
        weft_spline_piece(points, second, k, factor);
        for (int i = 0; i < 3; i++)
            parts[2 + i][k] = factor[i];
    }
    static const char *const names[CURVE_PARTS] = {"from", "value", "slope", "square", "cube"};
    weft_status status = weft_graph_add(graph, "curve_pieces", node, 1, node, error);
    for (int i = 0; i < CURVE_PARTS && status == WEFT_OK; i++)
        status = weft_graph_set(graph, *node, names[i], parts[i], CURVE_POINTS, error);
    return status == WEFT_OK ? weft_graph_set(graph, *node, "channel", &channel, 1, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const weft_list *const curves[] = {&p->red, &p->green, &p->blue, &p->all};
    weft_status status = WEFT_OK;
    *result = *inputs;
    for (int k = 0; k < 4 && status == WEFT_OK; k++)
        status = add_curve(graph, curves[k], k < 3 ? k + 1 : 0, result, error);
    return status;
}
