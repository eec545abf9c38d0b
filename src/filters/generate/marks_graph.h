/* SPDX-License-Identifier: MIT
 * What draw_points and lines are: any number of marks, of EACH numbers each, drawn by steps of STEP that take so many of them;
 * places are pixels there, or shares of the sides. The marks that a step has not are far outside. */
#include "base/status.h"
#include "filter/composite.h"

static weft_status check(const void *block, weft_error *error) {
    const struct BLOCK *p = block;
    if (p->MARKS.count % EACH == 0)
        return WEFT_OK;
    weft_fail(error, WEFT_ERROR_PARAMETER, "%s are given by %d numbers each, so not %d", TEXT(MARKS), EACH,
              (int)p->MARKS.count);
    weft_error_at(error, -1, NULL, TEXT(MARKS));
    return WEFT_ERROR_PARAMETER;
}

static weft_status draw(weft_graph *graph, const struct BLOCK *p, const double *numbers, double width, weft_node *node,
                        weft_error *error) {
    const double color[4] = {(double)p->color.x, (double)p->color.y, (double)p->color.z, (double)p->color.w};
    weft_node input = *node;
    weft_status status = weft_graph_add(graph, STEP, &input, 1, node, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *node, "places", numbers, 32, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *node, "width", &width, 1, error);
    return status == WEFT_OK ? weft_graph_set(graph, *node, "color", color, 4, error) : status;
}

/* The numbers of 32 / EACH marks at a time; `place` turns what is given into pixels. */
static weft_status draw_all(weft_graph *graph, const struct BLOCK *p, const weft_image_info *info, double width,
                            void (*place)(const struct BLOCK *p, const weft_image_info *info, double *mark),
                            weft_node *node, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t first = 0; status == WEFT_OK && first < p->MARKS.count; first += 32) {
        double numbers[32];
        for (int32_t k = 0; k < 32; k++)
            numbers[k] = first + k < p->MARKS.count ? p->MARKS.values[first + k] : -1e6;
        for (int32_t k = 0; k < 32 && first + k < p->MARKS.count; k += EACH)
            place(p, info, numbers + k);
        status = draw(graph, p, numbers, width, node, error);
    }
    return status;
}
