/* SPDX-License-Identifier: MIT */
#define NAME chroma_key_ue_blend
#define SUMMARY "Lay what stands before a colored screen, cut out by chroma_key_ue, over the second image"
#define SOURCE "see chroma_key_ue"
#define EXAMPLE "split[a][b];[b]flip=y,gaussian=4[c];[a][c]chroma_key_ue_blend=0.45|0.6|0.1|1:0.08:0.06:spill=0.6"
#define TOLERANCE 1
#define INPUTS 2
#include "filters/key/edge_graph.h"
#include "filters/key/ue_params.h"
#define PARAMS UE_PARAMS SHRINK_PARAM
#include "filter/composite.h"
#include "filters/key/ue_graph.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    weft_node pair[2] = {inputs[1], -1};
    weft_status status = ue_key(graph, block, inputs, false, &pair[1], error);
    return status == WEFT_OK ? weft_graph_add(graph, "blend_source_over", pair, 2, result, error) : status;
}
