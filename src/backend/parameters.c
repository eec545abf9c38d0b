/* SPDX-License-Identifier: MIT
 * Parameters that change between runs: blocks of their own for every node of the user's graph. */
#include <string.h>
#include "backend/plan.h"
#include "base/memory.h"
#include "base/status.h"

const void *weft_plan_block(const struct weft_plan *plan, const struct weft_parameters *parameters, int32_t n) {
    const struct weft_graph_node *node = &plan->typed.graph->nodes[n];
    if (parameters && node->filter && node->origin >= 0 && node->origin < plan->graph->count &&
        plan->graph->nodes[node->origin].filter == node->filter)
        return parameters->blocks[node->origin];
    return node->block;
}

weft_status weft_parameters_create(const weft_plan *plan, weft_parameters **result, weft_error *error) {
    weft_parameters *parameters;
    if (!plan || !result)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_parameters_create needs a plan and a place for the parameters");
    *result = NULL;
    parameters = weft_allocate(1, sizeof *parameters);
    if (!parameters)
        return weft_fail_memory(error, sizeof *parameters, "parameters");
    parameters->plan = (weft_plan *)(uintptr_t)plan;
    weft_plan_hold(plan);
    parameters->blocks = weft_allocate((size_t)plan->graph->count, sizeof *parameters->blocks);
    parameters->typed = weft_allocate((size_t)plan->typed.graph->count, sizeof *parameters->typed);
    bool complete = parameters->blocks && parameters->typed;
    for (int32_t n = 0; complete && n < plan->graph->count; n++) {
        const struct weft_graph_node *node = &plan->graph->nodes[n];
        if (node->filter) {
            parameters->blocks[n] = weft_block_copy(node->filter, node->block);
            complete = parameters->blocks[n] != NULL;
        }
    }
    if (!complete) {
        weft_parameters_destroy(&parameters);
        return weft_fail_memory(error, (size_t)plan->graph->count * sizeof(void *), "parameters");
    }
    for (int32_t n = 0; n < plan->typed.graph->count; n++)
        parameters->typed[n] = weft_plan_block(plan, parameters, n);
    *result = parameters;
    return WEFT_OK;
}

static void destroy(weft_parameters *p) {
    for (int32_t n = 0; p->blocks && n < p->plan->graph->count; n++)
        if (p->blocks[n])
            weft_block_destroy(p->plan->graph->nodes[n].filter, p->blocks[n]);
    weft_free(p->blocks);
    weft_free(p->typed);
    weft_plan_leave(p->plan);
    weft_free(p);
}

void weft_parameters_hold(const weft_parameters *parameters) {
    if (parameters)
        weft_reference_count_add(&((weft_parameters *)(uintptr_t)parameters)->holders);
}

void weft_parameters_leave(const weft_parameters *parameters) {
    weft_parameters *p = (weft_parameters *)(uintptr_t)parameters;
    if (p && weft_reference_count_drop(&p->holders))
        destroy(p);
}

void weft_parameters_destroy(weft_parameters **parameters) {
    if (!parameters || !*parameters)
        return;
    weft_parameters_leave(*parameters);
    *parameters = NULL;
}

weft_status weft_parameters_set(weft_parameters *parameters, weft_node node, const char *parameter,
                                const double *values, int32_t count, weft_error *error) {
    if (!parameters || !parameter || !values)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_parameters_set needs parameters, a name and values");
    const struct weft_graph *graph = parameters->plan->graph;
    if (node < 0 || node >= graph->count || !graph->nodes[node].filter)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "node %d is no filter of this graph", (int)node);
    const struct weft_filter *filter = graph->nodes[node].filter;
    int32_t index = weft_parameter_find(filter, parameter, strlen(parameter));
    weft_status status = WEFT_OK;
    if (index < 0)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s has no parameter '%.64s'", filter->info.name, parameter);
    else if (!filter->parameters[index].info.dynamic)
        status = weft_fail(error, WEFT_ERROR_PARAMETER,
                           "%s of %s decides the plan and cannot change between its runs; make a new plan", parameter,
                           filter->info.name);
    else
        status = weft_block_set(filter, parameters->blocks[node], index, values, count, error);
    if (status != WEFT_OK)
        weft_error_at(error, node, filter->info.name, parameter);
    return status;
}
