/* SPDX-License-Identifier: MIT
 * Which filters have kernels of their own though they are made of others too. */
#include "backend/gpu/gpu.h"
#include "kernels/gpu/window/guided.h"
#include "kernels/gpu/window/squares.h"

/* Whether the image is one of bytes or floats in memory, without alpha, and the radius one of those kernels. */
static bool has_guided(const struct weft_graph *graph, const weft_image_info *info, const struct weft_graph_node *node) {
    const weft_image_info *in = &info[node->inputs[0]];
    int32_t radius = node->filter->reach(node->block, WEFT_X) / 2;
    bool bytes = in->format.type == WEFT_U8, floats = in->format.type == WEFT_F32 && radius >= GUIDED_FLOATS_RADIUS;
    return !graph->nodes[node->inputs[0]].filter && (bytes || floats) && in->format.channels != 2 &&
           in->alpha == WEFT_ALPHA_NONE && node->space != WEFT_SPACE_LINEAR && radius <= GUIDED_RADIUS;
}

weft_status weft_gpu_keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info, int32_t n,
                           bool *kept, weft_error *error) {
    const struct weft_graph_node *node = &graph->nodes[n];
    (void)device, (void)error;
    *kept = (node->filter->squares && node->filter->reach(node->block, WEFT_X) <= SQUARES_RADIUS) ||
            (node->filter->guided && has_guided(graph, info, node));
    return WEFT_OK;
}
