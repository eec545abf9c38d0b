/* SPDX-License-Identifier: MIT */
#define NAME color_packing
#define SUMMARY "Pack 2 x 2 pixels' red into the red, green, blue and alpha of one: an image of half the size"
#define SOURCE "GPUImage's GPUImageColorPackingFilter"
#define EXAMPLE "color_packing"
#define CHANNELS ADD_ALPHA
#include "base/status.h"
#include "filter/help/subgraph.h"
#include "filter/composite.h"

static weft_status expand(weft_graph *graph, const void *block, const weft_node *inputs, const weft_image_info *info,
                          weft_node *result, weft_error *error) {
    double width = (double)(info->width / 2), height = (double)(info->height / 2);
    weft_node node = *inputs;
    (void)block;
    if (width < 1 || height < 1)
        return weft_fail(error, WEFT_ERROR_FORMAT, "color_packing packs 2 x 2 pixels, but the image is %lld x %lld",
                         (long long)info->width, (long long)info->height);
    weft_status status = WEFT_OK;
    if (info->format.channels < 3)
        status = weft_graph_add(graph, "swizzle", &node, 1, &node, error);
    if (status == WEFT_OK)
        status = SUBGRAPH_ADD("crop", &node, 1, &node, {"width", 2 * width}, {"height", 2 * height});
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "color_packing_four", &node, 1, &node, error);
    return status == WEFT_OK
               ? SUBGRAPH_ADD("resample", &node, 1, result, {"width", width}, {"height", height}, {"method", 0})
               : status;
}
