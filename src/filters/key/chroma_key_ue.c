/* SPDX-License-Identifier: MIT
 * The key of Unreal Engine's chroma key material: its cutoff is `similarity`, its scale 1 / smoothing. */
#define NAME chroma_key_ue
#define SUMMARY "Cut out what stands before a colored screen: soft matte, spill taken out, edge drawn in"
#define SOURCE "the chroma keyer of Unreal Engine 4"
#define EXAMPLE "chroma_key_ue=0.45|0.6|0.1|1:0.08:0.06:spill=0.6:shrink=1"
#define CHANNELS ADD_ALPHA
#define TOLERANCE 1
#include "filters/key/edge_graph.h"
#include "filters/key/ue_params.h"
#define PARAMS UE_PARAMS SHRINK_PARAM OUTPUT_PARAM
#include "filter/composite.h"
#include "filters/key/ue_graph.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    return ue_key(graph, p, inputs, p->output == 1, result, error);
}
