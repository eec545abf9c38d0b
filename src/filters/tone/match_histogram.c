/* SPDX-License-Identifier: MIT */
#define NAME match_histogram
#define SUMMARY "Give the first image the histogram of the second: its light and colors, channel by channel"
#define ALIASES "match_histograms"
#define SOURCE "as scikit-image's match_histograms"
#define EXAMPLE "split[a][b];[b]exposure=-1,warm_tint[c];[a][c]match_histogram"
#define INPUTS 2
#define TOLERANCE 1 /* where a value lies between two bins */
#define STEADY_TOLERANCE 3e-2
#define PARAMS BINS_PARAM
#include "filters/tone/cumulative.h"
#include "filter/composite.h"

/* Both histograms below one another in one table; where one image is grey, it is counted as the color that it is. */
static weft_status count_both(weft_graph *graph, const weft_node *inputs, const weft_image_info *info, int32_t bins,
                              weft_node *table, weft_error *error) {
    weft_node rows[2] = {-1, -1};
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++) {
        status = weft_graph_add(graph, "alpha_remove", &inputs[i], 1, &rows[i], error);
        if (status == WEFT_OK && info[i].format.channels < 3 && info[1 - i].format.channels >= 3)
            status = SUBGRAPH_ADD("swizzle", &rows[i], 1, &rows[i], {"green", 0}, {"blue", 0});
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("histogram", &rows[i], 1, &rows[i], {"bins", bins});
        if (status == WEFT_OK)
            status = SUBGRAPH_ADD("pad", &rows[i], 1, &rows[i], {"top", i}, {"bottom", 1 - i}, {"border", WEFT_BORDER_CONSTANT});
    }
    return status == WEFT_OK ? weft_graph_add(graph, "sum_of", rows, 2, table, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    int32_t bins = bins_of(((const struct BLOCK *)block)->bins, info);
    weft_node pair[2] = {-1, -1}, table = -1;
    weft_status status = count_both(graph, inputs, info, bins, &pair[1], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient", NULL, 0, &pair[0], {"width", bins}, {"height", 1},
                              {"channels", info->format.channels >= 3 ? 3 : 1});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "match_table", pair, 2, &table, error);
    return status == WEFT_OK ? table_apply(graph, *inputs, table, result, error) : status;
}
