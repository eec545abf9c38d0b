/* SPDX-License-Identifier: MIT
 * The distance is that of Cr and Cb of BT.601, so shadows on the screen are keyed too. Spill is the part of a color's chroma
 * along the key's: what has none, as grays and the opposite colors, stays as it is, and so does what is far from the key. */
#define NAME chroma_key
#define SUMMARY "Make the pixels of one color transparent: soft matte, spill taken out, edge drawn in"
#define ALIASES "chromakey"
#define EXAMPLE "chroma_key=0.45|0.6|0.1|1:0.12:0.1:0.8:shrink=1"
#define CHANNELS ADD_ALPHA
#define TOLERANCE 1
#include "filters/key/chroma_params.h"
#include "filters/key/edge_graph.h"
#define PARAMS CHROMA_PARAMS SHRINK_PARAM OUTPUT_PARAM
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    const double key[4] = {p->color.x, p->color.y, p->color.z, p->color.w};
    weft_node keyed;
    weft_status status = SUBGRAPH_ADD("chroma_key_cut", inputs, 1, &keyed, {"similarity", p->similarity},
                                      {"smoothing", p->smoothing}, {"spill", p->spill},
                                      {"spill_reach", p->spill_reach});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, keyed, "color", key, 4, error);
    return status == WEFT_OK ? key_edge(graph, keyed, p->shrink, p->output == 1, result, error) : status;
}
