/* SPDX-License-Identifier: MIT
 * Which filters have kernels of their own though they are made of others too. */
#include "backend/gpu/gpu.h"
#include "kernels/gpu/window/guided.h"
#include "kernels/gpu/window/squares.h"

/* Whether the image is one of bytes in memory, without alpha: running sums of others would keep what is not finite. */
static bool is_of_bytes(const struct weft_graph *graph, const weft_image_info *info, const struct weft_graph_node *node) {
    const weft_image_info *in = &info[node->inputs[0]];
    return !graph->nodes[node->inputs[0]].filter && in->format.type == WEFT_U8 && in->format.channels != 2 &&
           in->alpha == WEFT_ALPHA_NONE && node->space != WEFT_SPACE_LINEAR;
}

weft_status weft_gpu_keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info, int32_t n,
                           bool *kept, weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[n];
    (void)device, (void)error;
    *kept = (node->filter->squares && node->filter->reach(node->block, WEFT_X) <= SQUARES_RADIUS) ||
            (node->filter->guided && is_of_bytes(graph, info, node) &&
             node->filter->reach(node->block, WEFT_X) <= 2 * GUIDED_RADIUS);
    return WEFT_OK;
}
