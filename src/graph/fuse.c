/* SPDX-License-Identifier: MIT
 * Step 5 of planning: point filters that follow one another become one point program, which costs no pass over memory. */
#include "graph/schedule.h"

static bool is_point(const struct weft_typed_graph *typed, int32_t n) {
    const struct weft_filter *filter = typed->graph->nodes[n].filter;
    return filter && filter->kind == WEFT_KIND_POINT;
}

/* The one program that all consumers of n are in, -1 when they are in several or need rows of n by themselves. */
static int32_t common_group(const struct weft_typed_graph *typed, const bool *member, const int32_t *group, int32_t n) {
    int32_t common = -1;
    for (int32_t c = n + 1; c < typed->graph->count; c++) {
        const struct weft_graph_node *node = &typed->graph->nodes[c];
        for (int32_t i = 0; member[c] && i < node->filter->info.inputs; i++) {
            if (node->inputs[i] != n)
                continue;
            if (group[c] < 0 || (common >= 0 && common != group[c]))
                return -1;
            common = group[c];
        }
    }
    return common;
}

static int32_t group_size(const int32_t *group, int32_t count, int32_t g) {
    int32_t size = 0;
    for (int32_t n = 0; n < count; n++)
        size += group[n] == g;
    return size;
}

void weft_fuse(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
               const bool *member, int32_t *group) {
    int32_t count = typed->graph->count;
    for (int32_t n = 0; n < count; n++)
        group[n] = -1;
    for (int32_t n = count - 1; n >= 0; n--) {
        if (!member[n] || !is_point(typed, n))
            continue;
        bool wanted = weft_is_output(typed, n) || (schedule->keep[n] && schedule->stage[n] == stage);
        int32_t common = wanted ? -1 : common_group(typed, member, group, n);
        group[n] = common >= 0 && group_size(group, count, common) < WEFT_PROGRAM_NODES ? common : n;
    }
}
