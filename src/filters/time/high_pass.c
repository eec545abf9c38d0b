/* SPDX-License-Identifier: MIT */
#define NAME high_pass
#define SUMMARY "Show what changes: how far each color is from its low_pass"
#define SOURCE "GPUImage's GPUImageHighPassFilter"
#define EXAMPLE "high_pass=0.8"
#define TOLERANCE 1e-5
#define PARAMS FLOAT(strength, 0.5, 0, 1, "", "weight of the frame before in the low pass")
#include "filters/time/time.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    weft_node pair[2] = {*inputs, -1};
    weft_status status = smooth(graph, *inputs, (double)((const struct BLOCK *)block)->strength, 0, &pair[1], error);
    return status == WEFT_OK ? weft_graph_add(graph, "absolute_difference", pair, 2, result, error) : status;
}
