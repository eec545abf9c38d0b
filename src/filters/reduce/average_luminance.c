/* SPDX-License-Identifier: MIT */
#define NAME average_luminance
#define SUMMARY "The mean luminance over the whole image: one number"
#define ALIASES "luminosity"
#define ALPHA_DOC "colors count by their alpha; where all of it is 0 the mean is black"
#include "filters/reduce/mean.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    weft_node grey;
    weft_status status = weft_graph_add(graph, "grayscale", inputs, 1, &grey, error);
    return status == WEFT_OK ? weighted_mean(graph, grey, info, result, error) : status;
}
