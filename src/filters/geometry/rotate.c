/* SPDX-License-Identifier: MIT */
#define NAME rotate
#define SUMMARY "Turn the image around its middle by any angle: straighten a picture"
#define ALIASES "straighten"
#define EXAMPLE "rotate=3.2:inside"
#define TOLERANCE 1 /* the nearest of two pixels that are equally near */
#define STEADY_TOLERANCE 1e-2
#define PARAMS                                                                                                         \
    FLOAT(angle, 0, -36000, 36000, "degrees", "the turn, counterclockwise; below 0 clockwise")                         \
    CHOICE(fit, 0, "expand|same|inside",                                                                               \
           "the result's size: all of the image fits, the image's own, or the largest upright part without a border")  \
    PROJECTIVE_GRAPH_PARAMS
#include "filters/geometry/projective_graph.h"
#include "filter/composite.h"

/* Sides of the largest upright rectangle inside one of w x h that is turned. */
static void inside(double w, double h, double cosine, double sine, double *width, double *height) {
    double longer = fmax(w, h), shorter = fmin(w, h), c = fabs(cosine), s = fabs(sine), twice = c * c - s * s;
    if (shorter <= 2 * s * c * longer || fabs(s - c) < 1e-9) { /* two corners lie on the longer sides */
        double along = s > 0 ? 0.5 * shorter / s : longer, across = c > 0 ? 0.5 * shorter / c : longer;
        *width = w >= h ? along : across, *height = w >= h ? across : along;
    } else {
        *width = (w * c - h * s) / twice, *height = (h * c - w * s) / twice;
    }
}

/* Turns by a quarter move pixels and no more. */
static weft_status quarters(weft_graph *graph, int32_t count, const weft_node *inputs, weft_node *result,
                            weft_error *error) {
    if (count == 2)
        return SUBGRAPH_ADD("flip", inputs, 1, result, {"axis", 2});
    if (count)
        return SUBGRAPH_ADD("transpose", inputs, 1, result, {count == 1 ? "flip_y" : "flip_x", 1});
    *result = *inputs;
    return WEFT_OK;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double degree = 3.14159265358979324 / 180, w = (double)info->width, h = (double)info->height;
    double turn = fmod((double)p->angle, 360), width = w, height = h;
    turn = turn < 0 ? turn + 360 : turn;
    if (fmod(turn, 90) == 0 && (p->fit != 1 || fmod(turn, 180) == 0 || info->width == info->height))
        return quarters(graph, (int32_t)(turn / 90) % 4, inputs, result, error);
    double cosine = cos(turn * degree), sine = sin(turn * degree);
    if (p->fit == 0)
        width = ceil(w * fabs(cosine) + h * fabs(sine) - 1e-6), height = ceil(w * fabs(sine) + h * fabs(cosine) - 1e-6);
    else if (p->fit == 2)
        inside(w, h, cosine, sine, &width, &height);
    int64_t columns = (int64_t)fmax(floor(width + 1e-6), 1), rows = (int64_t)fmax(floor(height + 1e-6), 1);
    double x = 0.5 * (double)(columns - 1), y = 0.5 * (double)(rows - 1);
    const double map[9] = {cosine, -sine,  0.5 * (w - 1) - cosine * x + sine * y,
                           sine,   cosine, 0.5 * (h - 1) - sine * x - cosine * y,
                           0,      0,      1};
    struct projective_settings settings = {p->method, p->border, p->border_value};
    return projective_add(graph, *inputs, info, map, columns, rows, settings, result, error);
}
