/* SPDX-License-Identifier: MIT */
#define NAME auto_levels
#define SUMMARY "Stretch the levels that the image uses over all from black to white"
#define ALIASES "normalize autocontrast"
#define SOURCE "as Pillow's ImageOps.autocontrast"
#define EXAMPLE "auto_levels=0.01"
#define TOLERANCE 1 /* where a value lies between two bins */
#define PARAMS                                                                                                         \
    FLOAT(clip, 0.005, 0, 0.49, "", "share of the pixels at either end that becomes black or white")                   \
    CHOICE(channels, 0, "together|each", "one stretch for all channels, which keeps hues, or one for each")            \
    BINS_PARAM
#include "filters/tone/cumulative.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t bins = bins_of(p->bins, info);
    weft_node pair[2], table;
    weft_status status = SUBGRAPH_ADD("histogram", inputs, 1, &pair[1], {"bins", bins});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("gradient", NULL, 0, &pair[0], {"width", bins}, {"height", 1},
                              {"channels", info->format.channels >= 3 ? 3 : 1});
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("levels_table", pair, 2, &table, {"clip", p->clip}, {"channels", p->channels});
    return status == WEFT_OK ? table_apply(graph, *inputs, table, result, error) : status;
}
