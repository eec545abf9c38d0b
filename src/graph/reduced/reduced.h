/* SPDX-License-Identifier: MIT
 * Graphs that begin with a reduction, for whom a smaller image does that a decoder makes faster than the whole one. */
#ifndef GRAPH_REDUCED_H
#define GRAPH_REDUCED_H
#include "weft/graph.h"

/* How much smaller the image of input `input` may be so that the graph, which sees images of `infos`, still reduces it
 * to half: its sides divided by 8, 4 or 2, or 1 where it does not begin so. For more than 1 *fixed is the graph whose
 * filters make images of the size that they have now, whatever the size of the input. */
weft_status weft_graph_reduced(const weft_graph *graph, const weft_image_info *infos, int32_t input, int32_t *times,
                               weft_graph **fixed, weft_error *error);

#endif
