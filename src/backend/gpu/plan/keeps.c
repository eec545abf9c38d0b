/* SPDX-License-Identifier: MIT
 * Which filters have kernels of their own though they are made of others too. */
#include "backend/gpu/gpu.h"
#include "kernels/gpu/window/squares.h"

weft_status weft_gpu_keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info, int32_t n,
                           bool *kept, weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[n];
    (void)device, (void)info, (void)error;
    *kept = node->filter->squares && node->filter->reach(node->block, WEFT_X) <= SQUARES_RADIUS;
    return WEFT_OK;
}
