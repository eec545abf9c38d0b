/* SPDX-License-Identifier: MIT */
#define NAME component_table
#define SUMMARY "Where the pixels of each number are: a rectangle or a middle for each, 0 first"
#define STEP_OF "connected_components"
#define EXAMPLE "component_table"
#define CHANNELS PLANE
#define LUMINANCE true
#define ALPHA PREMULTIPLIED
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result has none"
#define PARAMS                                                                                                         \
    CHOICE(table, 0, "boxes|centroids", "boxes: left, top, width and height; centroids: x and y")                      \
    INT(most, 1024, 1, 65535, "", "numbers beyond count with it")
#define INFER infer
#include "filter/reduce.h"

static enum weft_reduction reduction(const void *block, int32_t *bins) {
    const struct BLOCK *p = block;
    *bins = p->most + 1;
    return p->table == 0 ? WEFT_REDUCE_BOXES : WEFT_REDUCE_CENTROIDS;
}

static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    if (inputs->format.type == WEFT_F64)
        return weft_fail(error, WEFT_ERROR_GRAPH, "%s looks at pictures, not at numbers", TEXT(NAME));
    output->format.channels = ((const struct BLOCK *)block)->table == 0 ? 4 : 2;
    return infer_table(block, inputs, output, error);
}
