/* SPDX-License-Identifier: MIT */
#define NAME cga_colorspace
#define SUMMARY "Show the image as the Color Graphics Adapter did: 320 x 200 pixels of four colors"
#define TOLERANCE 1
#define CHANNELS COLOR
#define PARAMS                                                                                                         \
    FLOATS(grid, 2, "320|200", 1, 100000, "columns and rows of the screen; an image of fewer pixels keeps its own")    \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: 200 columns and 320 rows, whatever the grid")
#include "filter/help/border.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double corner = 1, border = WEFT_BORDER_REPLICATE;
    const double fraction = 1.0 / (p->compat ? 200 : p->grid[0]), fraction_y = 1.0 / (p->compat ? 320 : p->grid[1]);
    const struct { const char *name; double value; } settings[] = {
        {"fraction", fraction}, {"fraction_y", fraction_y}, {"place", corner}, {"border", border}};
    weft_node cells;
    weft_status status = weft_graph_add(graph, "pixellate", inputs, 1, &cells, error);
    for (int i = 0; status == WEFT_OK && i < 4; i++)
        status = weft_graph_set(graph, cells, settings[i].name, &settings[i].value, 1, error);
    return status == WEFT_OK ? weft_graph_add(graph, "cga_palette", &cells, 1, result, error) : status;
}
