/* SPDX-License-Identifier: MIT
 * In color the luminance is equalized, and its change is added to all channels: the two differences of color stay. */
#define NAME equalize_histogram
#define SUMMARY "Make all levels equally frequent: bring out what a hazy picture hides"
#define ALIASES "equalize histogram_equalization"
#define SOURCE "OpenCV's equalizeHist, of luminance in color"
#define EXAMPLE "equalize_histogram"
#define TOLERANCE 1 /* where a value lies between two bins */
/* With 4096 bins, a value times 4095 has an error of 2.5e-4 of a bin, and with few pixels neighboring bins differ much. */
#define STEADY_TOLERANCE 3e-4
#define PARAMS                                                                                                         \
    CHOICE(channels, 0, "luminance|each", "equalize the luminance of color, or each channel by itself")                \
    BINS_PARAM
#include "filters/tone/cumulative.h"
#include "filter/composite.h"

static weft_status table_of(weft_graph *graph, weft_node input, int32_t bins, weft_node *table, weft_error *error) {
    weft_node sum;
    weft_status status = cumulative_add(graph, input, bins, &sum, error);
    const weft_node pair[2] = {sum, sum};
    return status == WEFT_OK ? weft_graph_add(graph, "equalize_table", pair, 2, table, error) : status;
}

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    const struct BLOCK *p = block;
    int32_t bins = bins_of(p->bins, info);
    bool color = info->format.channels >= 3 && p->channels == 0;
    weft_node grey = *inputs, table, mapped = 0;
    weft_status status = color ? weft_graph_add(graph, "grayscale", inputs, 1, &grey, error) : WEFT_OK;
    if (status == WEFT_OK)
        status = table_of(graph, grey, bins, &table, error);
    if (status == WEFT_OK)
        status = table_apply(graph, grey, table, &mapped, error);
    const weft_node pair[2] = {*inputs, mapped};
    *result = mapped;
    return status == WEFT_OK && color ? weft_graph_add(graph, "replace_luminance", pair, 2, result, error) : status;
}
