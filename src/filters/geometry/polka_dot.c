/* SPDX-License-Identifier: MIT */
#define NAME polka_dot
#define SUMMARY "Show the image in dots on black, one in each square of a grid"
#define EXAMPLE "polka_dot=0.025"
#define TOLERANCE 1
#define STEADY_TOLERANCE 6e-5 /* places below 512 are off by 3e-5 along each axis in f32; a pixel is at most 1 */
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.05, 0, 1, "", "width of a square, as a share of the image's width; at least a pixel")            \
    FLOAT(dot_scaling, 0.9, 0, 1, "", "diameter of a dot, as a share of the square's side")
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node cells;
    weft_status status =
        SUBGRAPH_ADD("pixellate", inputs, 1, &cells, {"fraction", p->fraction}, {"border", WEFT_BORDER_REPLICATE});
    return status == WEFT_OK ? SUBGRAPH_ADD("cell_dots", &cells, 1, result, {"fraction", p->fraction},
                                            {"dot_scaling", p->dot_scaling})
                             : status;
}
