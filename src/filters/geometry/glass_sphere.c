/* SPDX-License-Identifier: MIT */
#define NAME glass_sphere
#define SUMMARY "Show the image in a sphere of glass that shines, black around it"
#define EXAMPLE "glass_sphere=0.5|0.5:0.35"
#define TOLERANCE 1
#define PARAMS SPHERE_PARAMS
#include "filters/geometry/sphere_graph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    return sphere_graph(graph, p->center, p->radius, p->refractive_index, -2, 1, p->compat, p->border, p->border_value,
                        inputs, result, error);
}
