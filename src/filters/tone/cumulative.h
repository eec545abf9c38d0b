/* SPDX-License-Identifier: MIT
 * What filters by the histogram share: the cumulative histogram of an image, a table of bins x 1 in which entry k
 * counts the pixels of bins 0 to k; and the map of an image by a table of as many entries. 8 bits have a bin for each
 * level. */
#ifndef TONE_CUMULATIVE_H
#define TONE_CUMULATIVE_H
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/subgraph.h"

#define BINS_PARAM                                                                                                     \
    AUTO_INT(bins, 256, 4096, "", "parts of [0, 1] that the histogram counts; auto is 256 for 8 bits, 4096 for others")

static inline int32_t bins_of(int32_t bins, const weft_image_info *info) {
    return bins > 0 ? bins : info->format.type == WEFT_U8 ? 256 : 4096;
}

static inline weft_status cumulative_add(weft_graph *graph, weft_node input, int32_t bins, weft_node *cumulative,
                                         weft_error *error) {
    weft_node counts;
    int32_t count = 2 * bins - 1;
    double *weights = weft_allocate((size_t)count, sizeof *weights);
    if (!weights)
        return weft_fail_memory(error, (size_t)count * sizeof *weights, "the weights of a sum over bins");
    for (int32_t k = 0; k < count; k++)
        weights[k] = k < bins ? 1 : 0;
    weft_status status = SUBGRAPH_ADD("histogram", &input, 1, &counts, {"bins", bins});
    if (status == WEFT_OK)
        status =
            SUBGRAPH_ADD("correlate_separable", &counts, 1, cumulative, {"alpha", 1}, {"border", WEFT_BORDER_CONSTANT});
    if (status == WEFT_OK)
        status = weft_graph_set(graph, *cumulative, "row", weights, count, error);
    weft_free(weights);
    return status;
}

/* Maps the channels of `input` by the columns of a table; between two entries linearly. */
static inline weft_status table_apply(weft_graph *graph, weft_node input, weft_node table, weft_node *result,
                                      weft_error *error) {
    const weft_node pair[2] = {input, table};
    return SUBGRAPH_ADD("lut3d", pair, 2, result, {"table", 1});
}

#endif
