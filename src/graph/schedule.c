/* SPDX-License-Identifier: MIT
 * Step 6 of planning: nodes to stages. */
#include "graph/schedule.h"
#include "base/memory.h"
#include "base/status.h"

/* Rows are asked for from step to step, on the stack of a thread: so many filters that read neighbors may follow one
 * another in a stage. */
enum { MOST_DEPTH = 512 };

bool weft_is_output(const struct weft_typed_graph *typed, int32_t n) {
    for (int32_t i = 0; i < typed->graph->output_count; i++)
        if (typed->graph->outputs[i] == n)
            return true;
    return false;
}

bool weft_reads_whole(const struct weft_typed_graph *typed, int32_t n, int32_t i) {
    enum weft_kind kind = typed->graph->nodes[n].filter->kind;
    return kind == WEFT_KIND_WARP || kind == WEFT_KIND_GLOBAL || (kind == WEFT_KIND_LOOKUP && i == 1);
}

static bool is_reduction(const struct weft_typed_graph *typed, int32_t n) {
    const struct weft_filter *filter = typed->graph->nodes[n].filter;
    return filter && filter->kind == WEFT_KIND_REDUCE;
}

/* The earliest stage in which a node can be computed. */
static int32_t earliest(const struct weft_typed_graph *typed, const int32_t *stage, int32_t n) {
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    int32_t at = 0;
    for (int32_t i = 0; node->filter && i < node->filter->info.inputs; i++) {
        int32_t in = node->inputs[i];
        bool whole = is_reduction(typed, in) || (weft_reads_whole(typed, n, i) && typed->graph->nodes[in].filter);
        if (stage[in] + whole > at)
            at = stage[in] + whole;
    }
    for (int32_t i = 0; i < node->binding_count; i++)
        if (stage[node->bindings[i].from] + 1 > at)
            at = stage[node->bindings[i].from] + 1;
    return at;
}

/* How many filters that read neighbors lead to a node within its stage, it among them. */
static int32_t depth_of(const struct weft_typed_graph *typed, const int32_t *stage, const int32_t *depth, int32_t n) {
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    int32_t most = 0;
    for (int32_t i = 0; node->filter && i < node->filter->info.inputs; i++) {
        int32_t in = node->inputs[i];
        if (stage[in] == stage[n] && depth[in] > most)
            most = depth[in];
    }
    return most + (node->filter && node->filter->kind != WEFT_KIND_POINT);
}

/* Point filters on the graph's inputs cost less to compute again than to keep. */
static bool is_cheap(const struct weft_typed_graph *typed, const bool *cheap, int32_t n) {
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    if (!node->filter)
        return true;
    if (node->filter->kind != WEFT_KIND_POINT)
        return false;
    for (int32_t i = 0; i < node->filter->info.inputs; i++)
        if (!cheap[node->inputs[i]])
            return false;
    return true;
}

weft_status weft_schedule_make(const struct weft_typed_graph *typed, struct weft_schedule *schedule, weft_error *error) {
    int32_t count = typed->graph->count;
    bool *cheap = weft_allocate((size_t)count, sizeof *cheap);
    int32_t *depth = weft_allocate((size_t)count, sizeof *depth);
    *schedule = (struct weft_schedule){.stage = weft_allocate((size_t)count, sizeof(int32_t)),
                                       .keep = weft_allocate((size_t)count, sizeof(bool))};
    if (!schedule->stage || !schedule->keep || !cheap || !depth) {
        weft_free(cheap);
        weft_free(depth);
        weft_schedule_clear(schedule);
        return weft_fail_memory(error, (size_t)count * sizeof(int32_t), "the schedule");
    }
    for (int32_t n = 0; n < count; n++) {
        schedule->stage[n] = earliest(typed, schedule->stage, n);
        depth[n] = depth_of(typed, schedule->stage, depth, n);
        if (depth[n] > MOST_DEPTH) {
            schedule->stage[n]++;
            depth[n] = depth_of(typed, schedule->stage, depth, n);
        }
        cheap[n] = is_cheap(typed, cheap, n);
        if (schedule->stage[n] + 1 > schedule->stages)
            schedule->stages = schedule->stage[n] + 1;
    }
    for (int32_t n = 0; n < count; n++) {
        const struct weft_graph_node *node = &typed->graph->nodes[n];
        for (int32_t i = 0; node->filter && i < node->filter->info.inputs; i++) {
            int32_t in = node->inputs[i];
            bool is_input = !typed->graph->nodes[in].filter;
            if (is_reduction(typed, in) || (weft_reads_whole(typed, n, i) && !is_input) ||
                (schedule->stage[in] < schedule->stage[n] && !cheap[in]))
                schedule->keep[in] = true;
        }
        for (int32_t i = 0; i < node->binding_count; i++)
            schedule->keep[node->bindings[i].from] = true;
    }
    for (int32_t i = 0; i < typed->graph->output_count; i++)
        if (is_reduction(typed, typed->graph->outputs[i]))
            schedule->keep[typed->graph->outputs[i]] = true;
    weft_free(cheap);
    weft_free(depth);
    return WEFT_OK;
}

void weft_schedule_clear(struct weft_schedule *schedule) {
    weft_free(schedule->stage);
    weft_free(schedule->keep);
    *schedule = (struct weft_schedule){0};
}

/* True when stage `stage` must compute node n whether or not another member needs it. */
static bool delivers(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
                     int32_t n) {
    return schedule->stage[n] == stage && (schedule->keep[n] || weft_is_output(typed, n)) &&
           (typed->graph->nodes[n].filter || weft_is_output(typed, n));
}

void weft_schedule_members(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
                           bool *member) {
    int32_t count = typed->graph->count;
    for (int32_t n = 0; n < count; n++)
        member[n] = typed->graph->nodes[n].filter && delivers(typed, schedule, stage, n);
    for (int32_t n = count - 1; n >= 0; n--) {
        const struct weft_graph_node *node = &typed->graph->nodes[n];
        if (!member[n])
            continue;
        for (int32_t i = 0; i < node->filter->info.inputs; i++) {
            int32_t in = node->inputs[i];
            bool kept = schedule->keep[in] && schedule->stage[in] < stage;
            if (typed->graph->nodes[in].filter && !kept)
                member[in] = true;
        }
    }
}
