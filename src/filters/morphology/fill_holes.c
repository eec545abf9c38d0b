/* SPDX-License-Identifier: MIT
 * What is dark and reaches the image's sides comes back from there; all else is filled as high as the lowest way out. */
#define NAME fill_holes
#define SUMMARY "Fill dark holes that bright things enclose, to the height from which they would run out at the image's sides"
#define SOURCE "Soille 2003; SciPy's ndimage.binary_fill_holes, MATLAB's imfill"
#define EXAMPLE "grayscale,luminance_threshold=0.55,fill_holes"
#define PARAMS CHOICE(neighbors, 1, "8|4", "to how many neighbors a way out of a hole may lead: with those on diagonals or without")
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result has none"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    weft_node pair[2] = {-1, *inputs};
    (void)info;
    weft_status status = weft_graph_add(graph, "border_marker", inputs, 1, &pair[0], error);
    return status == WEFT_OK
               ? SUBGRAPH_ADD("reconstruction", pair, 2, result, {"op", 1}, {"neighbors", p->neighbors})
               : status;
}
