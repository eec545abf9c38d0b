/* SPDX-License-Identifier: MIT
 * What the steps of partitioning ask of a graph's nodes. */
#ifndef BACKEND_GPU_NODES_H
#define BACKEND_GPU_NODES_H
#include "backend/gpu/plan/plan.h"

static inline const struct weft_graph_node *node_of(const struct gpu_builder *b, int32_t n) { return &b->typed->graph->nodes[n]; }
static inline bool is_kind(const struct gpu_builder *b, int32_t n, enum weft_kind kind) {
    return node_of(b, n)->filter && node_of(b, n)->filter->kind == kind;
}
static inline int32_t input_count(const struct gpu_builder *b, int32_t n) {
    return node_of(b, n)->filter ? node_of(b, n)->filter->info.inputs : 0;
}

/* How many of the graph's outputs are node n. */
static inline int32_t outputs_of(const struct gpu_builder *b, int32_t n) {
    int32_t count = 0;
    for (int32_t i = 0; i < b->typed->graph->output_count; i++)
        count += b->typed->graph->outputs[i] == n;
    return count;
}
static inline bool is_kept(const struct gpu_builder *b, int32_t n, int32_t stage) {
    return b->schedule.keep[n] && b->schedule.stage[n] == stage;
}
static inline bool is_delivered(const struct gpu_builder *b, int32_t n, int32_t stage) {
    return is_kept(b, n, stage) || (outputs_of(b, n) > 0 && b->schedule.stage[n] == stage);
}

#endif
