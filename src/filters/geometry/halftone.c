/* SPDX-License-Identifier: MIT */
#define NAME halftone
#define SUMMARY "Print the image in black dots on white, larger where it is darker"
#define EXAMPLE "halftone=0.015"
#define TOLERANCE 1
#define STEADY_TOLERANCE 6e-5 /* f32 coordinates below 512 have an error of up to 3e-5 on each axis */
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.01, 0, 1, "", "width of a dot's square, as a share of the image's width; at least a pixel")
#include "filter/help/border.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const double fraction = ((const struct BLOCK *)block)->fraction;
    weft_node cells;
    weft_status status =
        SUBGRAPH_ADD("pixellate", inputs, 1, &cells, {"fraction", fraction}, {"border", WEFT_BORDER_REPLICATE});
    return status == WEFT_OK ? SUBGRAPH_ADD("cell_ink", &cells, 1, result, {"fraction", fraction}) : status;
}
