/* SPDX-License-Identifier: MIT */
#define NAME average_color
#define SUMMARY "The mean of each channel over the whole image: one pixel"
#define ALIASES "mean"
#define ALPHA_DOC "colors count by their alpha; where all of it is 0 the mean is black"
#include "filters/reduce/mean.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    (void)block;
    return weighted_mean(graph, *inputs, info, result, error);
}
