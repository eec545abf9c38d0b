/* SPDX-License-Identifier: MIT */
#define NAME mosaic_tiles
#define SUMMARY "Make the image of tiles, small pictures in rows of a second image, the brightest first"
#define ALIASES "mosaic"
#define SOURCE "GPUImage's GPUImageMosaicFilter"
#define EXAMPLE "split[a][b];[b]resize=64:64,split[c][d];[d]invert[e];[c][e]blend_screen[t];[a][t]mosaic_tiles=0.04:1:0.5"
#define INPUTS 2
#define TOLERANCE 1
#define ALPHA_DOC                                                                                                      \
    "the luminance over black, where colors count by their alpha, chooses a tile; the result has the first image's alpha, "   \
    "with color=0 that of the tiles"
#define PARAMS                                                                                                         \
    FLOAT(fraction, 0.025, 0, 1, "", "side of a square that is one tile, as a share of the image's width")             \
    INT(tiles, 64, 1, 65536, "", "how many tiles there are")                                                           \
    FLOAT(tile_width, 0.125, 0.001, 1, "", "width of a tile, as a share of the second image's")                        \
    FLOAT(tile_height, 0.125, 0.001, 1, "", "its height, as a share of the second image's")                            \
    BOOL(color, 1, "give each tile the color of the place that it stands for")
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    static const double weights[3] = {0.299, 0.587, 0.114};
    const struct BLOCK *p = block;
    weft_node cells = -1, grey = -1, pair[2] = {-1, inputs[1]}, both[2] = {-1, -1};
    weft_status status = SUBGRAPH_ADD("pixellate", inputs, 1, &cells, {"fraction", p->fraction});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "grayscale", &cells, 1, &grey, error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, grey, "weights", weights, 3, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "place_map", &grey, 1, &pair[0], error);
    double side = (double)p->fraction * (double)info->width;
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("mosaic_look", pair, 2, &both[1], {"side", side < 1 ? 1 : side}, {"tiles", p->tiles},
                              {"tile_width", p->tile_width}, {"tile_height", p->tile_height});
    both[0] = cells;
    *result = both[1];
    return status == WEFT_OK && p->color ? weft_graph_add(graph, "product_of", both, 2, result, error) : status;
}
