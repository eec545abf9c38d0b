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

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    int32_t bins = bins_of(((const struct BLOCK *)block)->bins, info);
    weft_node sums[2] = {-1, -1}, table = -1;
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < 2; i++)
        status = cumulative_add(graph, inputs[i], bins, &sums[i], error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("match_table", sums, 2, &table, {"pixels", (double)info[0].width * (double)info[0].height},
                              {"pixels_second", (double)info[1].width * (double)info[1].height});
    return status == WEFT_OK ? table_apply(graph, *inputs, table, result, error) : status;
}
