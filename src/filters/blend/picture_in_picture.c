/* SPDX-License-Identifier: MIT
 * The second image is brought to the whole pixels next to the rectangle, without aliasing, and laid over by its alpha.
 */
#define NAME picture_in_picture
#define SUMMARY "Show the second image, smaller, in a rectangle of the first"
#define ALIASES "pip"
#define EXAMPLE "split[a][b];[b]sobel[c];[a][c]picture_in_picture=0.75|0.72"
#define TOLERANCE 1e-5
#define INPUTS 2
#define PARAMS                                                                                                         \
    FLOATS(center, 2, "0.75|0.75", -100, 100, "of the rectangle, as shares of the first image's sides")                \
    FLOATS(size, 2, "0.4|0.4", 0, 100, "its sides, as shares of those; at least a pixel")                              \
    FLOAT(opacity, 0.8, 0, 1, "", "scales the alpha of the second image")
#include <math.h>
#include "filter/help/subgraph.h"
#include "filter/composite.h"

/* The pixels from and to of a side of `pixels`. */
static void edges(double center, double size, double pixels, double *from, double *to) {
    *from = floor((center - size / 2) * pixels + 0.5);
    *to = fmax(floor((center + size / 2) * pixels + 0.5), *from + 1);
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    double width = (double)info->width, height = (double)info->height, edge[4];
    edges(p->center[0], p->size[0], width, &edge[0], &edge[2]);
    edges(p->center[1], p->size[1], height, &edge[1], &edge[3]);
    weft_node pair[2] = {inputs[0], inputs[1]};
    weft_status status = SUBGRAPH_ADD("resample", &inputs[1], 1, &pair[1], {"width", edge[2] - edge[0]},
                                      {"height", edge[3] - edge[1]}, {"method", 1});
    if (status == WEFT_OK)
        status =
            SUBGRAPH_ADD("pad", &pair[1], 1, &pair[1], {"left", edge[0]}, {"top", edge[1]}, {"right", width - edge[2]},
                         {"bottom", height - edge[3]}, {"border", WEFT_BORDER_CONSTANT});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("inset", pair, 2, result, {"opacity", p->opacity});
    return status == WEFT_OK ? weft_graph_set(graph, *result, "edges", edge, 4, error) : status;
}
