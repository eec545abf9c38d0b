/* SPDX-License-Identifier: MIT
 * Step 5 of planning: point filters that follow one another become one point program, which costs no pass over memory. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/schedule.h"

static bool is_point(const struct weft_typed_graph *typed, int32_t n) {
    const struct weft_filter *filter = typed->graph->nodes[n].filter;
    return filter && filter->kind == WEFT_KIND_POINT;
}

/* What group[n] holds until the loop reaches n: the one program that all consumers of n are in, or one of these values. */
enum { UNREAD = -1, APART = -2 }; /* no consumer yet; consumers in several programs, or that need rows of n by themselves */

/* Tells the nodes that n reads in which program n is. */
static void tell_inputs(const struct weft_typed_graph *typed, int32_t *group, int32_t n) {
    const struct weft_graph_node *node = &typed->graph->nodes[n];
    for (int32_t i = 0; i < node->filter->info.inputs; i++) {
        int32_t *input = &group[node->inputs[i]];
        bool same = group[n] >= 0 && (*input == UNREAD || *input == group[n]);
        *input = same ? group[n] : APART;
    }
}

weft_status weft_fuse(const struct weft_typed_graph *typed, const struct weft_schedule *schedule, int32_t stage,
                      const bool *member, int32_t *group, weft_error *error) {
    int32_t count = typed->graph->count, *size = weft_allocate((size_t)count, sizeof *size);
    if (!size)
        return weft_fail_memory(error, (size_t)count * sizeof *size, "planning");
    for (int32_t n = 0; n < count; n++)
        group[n] = UNREAD;
    for (int32_t i = 0; i < typed->graph->output_count; i++)
        group[typed->graph->outputs[i]] = APART;
    for (int32_t n = count - 1; n >= 0; n--) {
        int32_t common = schedule->keep[n] && schedule->stage[n] == stage ? APART : group[n];
        group[n] = -1;
        if (!member[n])
            continue;
        if (is_point(typed, n)) {
            group[n] = common >= 0 && size[common] < WEFT_PROGRAM_NODES ? common : n;
            size[group[n]]++;
        }
        tell_inputs(typed, group, n);
    }
    weft_free(size);
    return WEFT_OK;
}
