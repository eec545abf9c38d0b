/* SPDX-License-Identifier: MIT */
#define NAME draw_points
#define SUMMARY "Draw discs, centered on places of the image"
#define SOURCE "aoce's DrawPointsLayer, with discs in place of squares"
#define EXAMPLE "draw_points=0.54|0.36|0.63|0.38|0.59|0.55:12:red"
#define CHANNELS COLOR
#define TOLERANCE 1
#define STEADY_TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    LIST(points, "0.5|0.5", "x and y of each place")                                                                   \
    FLOAT(radius, 1, 0, 100000, "px", "of the discs, whose edge is smooth over a pixel")                               \
    COLOR(color, 1, 0, 0, 1, -UNBOUNDED, UNBOUNDED, "of the discs; with its alpha over the image")                     \
    CHOICE(unit, 0, "share|pixel", "shares of the image's sides, from 0|0 at the top left to 1|1, or pixels")
#define CHECK check
#define MARKS points
#define EACH 2
#define STEP "draw_points_marks"
#include "filters/generate/marks_graph.h"

static void place(const struct BLOCK *p, const weft_image_info *info, double *mark) {
    if (p->unit == 0)
        mark[0] = mark[0] * (double)info->width - 0.5, mark[1] = mark[1] * (double)info->height - 0.5;
}
static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    *result = *inputs;
    return draw_all(graph, p, info, (double)p->radius, place, result, error);
}
