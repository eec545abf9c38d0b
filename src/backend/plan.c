/* SPDX-License-Identifier: MIT
 * The front door to plans: all checks happen here, once; then the steps of planning, then the backend. */
#include "backend/plan.h"
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "graph/reach/reach.h"

static weft_status check_options(const weft_device *device, const weft_graph *graph, const weft_plan_options *options,
                                 weft_plan **plan, weft_error *error) {
    if (!device || !graph || !options || !plan || (options->input_count > 0 && !options->inputs))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_create needs a device, a graph, options and a plan");
    if (options->output_types && options->output_type_count != graph->output_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "output_types has %d types for %d outputs",
                         (int)options->output_type_count, (int)graph->output_count);
    weft_status status = weft_device_check(device, error);
    return status == WEFT_OK ? weft_graph_validate_for(graph, options->inputs, options->input_count, error) : status;
}

/* What is kept is stored as who recalls it reads it. */
static weft_type kept_type(const weft_plan *plan, int32_t output) {
    int32_t i = 0;
    while (plan->recalls.list[i].output != output)
        i++;
    return plan->inputs[plan->input_count + i].format.type;
}

/* What each output is stored as: what was asked for, else the first input's type; numbers are f64. */
static weft_status choose_outputs(weft_plan *plan, const weft_plan_options *options, weft_error *error) {
    const struct weft_typed_graph *typed = &plan->typed;
    size_t count = (size_t)typed->output_count;
    plan->outputs = weft_allocate(count, sizeof *plan->outputs);
    plan->values = weft_allocate(count, sizeof *plan->values);
    plan->typed.output_types = weft_allocate(count, sizeof *plan->typed.output_types);
    if (!plan->outputs || !plan->values || !plan->typed.output_types)
        return weft_fail_memory(error, count * sizeof *plan->outputs, "outputs");
    for (int32_t i = 0; i < typed->output_count; i++) {
        weft_image_info *info = &plan->outputs[i];
        *info = typed->info[typed->graph->outputs[i]];
        plan->values[i] = info->format.type == WEFT_F64;
        weft_type type = options->output_types && i < plan->output_count ? options->output_types[i] : (weft_type)0;
        if (i >= plan->output_count)
            type = kept_type(plan, i - plan->output_count);
        else if (plan->values[i])
            type = WEFT_F64;
        else if (type == 0)
            type = plan->input_count > 0 ? plan->inputs[0].format.type : WEFT_U8;
        if (type < WEFT_U8 || type > WEFT_F64 || (type == WEFT_F64 && !plan->values[i]))
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d cannot be stored as type %d; u8, u16, f16 and f32 can",
                             (int)i, (int)type);
        info->format.type = type;
        plan->typed.output_types[i] = type;
        weft_status status = weft_image_size(info, &(size_t){0}, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

weft_status weft_plan_create(weft_device *device, const weft_graph *graph, const weft_plan_options *options,
                             weft_plan **result, weft_error *error) {
    struct weft_graph *expanded = NULL;
    weft_plan *plan;
    if (result)
        *result = NULL;
    weft_status status = check_options(device, graph, options, result, error);
    if (status != WEFT_OK)
        return status;
    plan = weft_allocate(1, sizeof *plan);
    if (!plan)
        return weft_fail_memory(error, sizeof *plan, "the plan");
    plan->device = device;
    weft_reference_count_add(&((struct weft_device_base *)(void *)device)->holders);
    plan->backend = ((struct weft_device_base *)(void *)device)->backend;
    plan->input_count = options->input_count;
    plan->output_count = graph->output_count;
    plan->recalls.input_count = plan->input_count;
    plan->recalls.inputs = weft_allocate((size_t)plan->input_count, sizeof *plan->inputs);
    if (!plan->recalls.inputs)
        status = weft_fail_memory(error, sizeof *plan->inputs, "the plan");
    else if (plan->input_count > 0)
        memcpy(plan->recalls.inputs, options->inputs, (size_t)plan->input_count * sizeof *plan->inputs);
    if (status == WEFT_OK)
        status = weft_graph_copy(graph, &plan->graph, error);
    for (int32_t n = 0; status == WEFT_OK && n < plan->graph->count; n++)
        plan->graph->nodes[n].origin = n;
    if (status == WEFT_OK)
        status = weft_graph_expand(plan->graph, &plan->recalls, plan->backend->keeps, device, &expanded, error);
    plan->inputs = plan->recalls.inputs;
    if (status == WEFT_OK)
        status = weft_graph_convert(expanded, plan->inputs, &plan->typed, error);
    if (status == WEFT_OK)
        status = choose_outputs(plan, options, error);
    if (status == WEFT_OK) {
        plan->blocks = weft_allocate((size_t)plan->typed.graph->count, sizeof *plan->blocks);
        if (!plan->blocks)
            status = weft_fail_memory(error, sizeof *plan->blocks, "parameters");
        for (int32_t n = 0; status == WEFT_OK && n < plan->typed.graph->count; n++)
            plan->blocks[n] = plan->typed.graph->nodes[n].block;
    }
    if (status == WEFT_OK)
        plan->typed.memory = options->memory;
    if (status == WEFT_OK)
        status = plan->backend->compile(device, &plan->typed, &plan->compiled, error);
    weft_graph_destroy(&expanded);
    if (status == WEFT_OK)
        weft_log_print(&((struct weft_device_base *)(void *)device)->log, WEFT_LOG_DEBUG,
                       "planned %d nodes as %d on %s: %d passes, %zu bytes of workspace", (int)graph->count,
                       (int)plan->typed.graph->count, plan->backend->name, (int)weft_plan_passes(plan),
                       weft_plan_workspace_size(plan));
    if (status != WEFT_OK)
        weft_plan_destroy(&plan);
    *result = plan;
    return status;
}

static void destroy(weft_plan *p) {
    if (p->compiled && (p->backend->forks || !weft_device_is_foreign(p->device)))
        p->backend->destroy(p->compiled);
    weft_typed_graph_clear(&p->typed);
    weft_graph_destroy(&p->graph);
    weft_free(p->blocks);
    weft_recalls_clear(&p->recalls);
    weft_free(p->outputs);
    weft_free(p->values);
    weft_device_leave(p->device);
    weft_free(p);
}

void weft_plan_hold(const weft_plan *plan) { weft_reference_count_add(&((weft_plan *)(uintptr_t)plan)->holders); }

void weft_plan_leave(const weft_plan *plan) {
    weft_plan *p = (weft_plan *)(uintptr_t)plan;
    if (weft_reference_count_drop(&p->holders))
        destroy(p);
}

void weft_plan_destroy(weft_plan **plan) {
    if (!plan || !*plan)
        return;
    weft_plan_leave(*plan);
    *plan = NULL;
}

int32_t weft_plan_input_count(const weft_plan *plan) { return plan ? plan->input_count : 0; }
int32_t weft_plan_output_count(const weft_plan *plan) { return plan ? plan->output_count : 0; }

static weft_status check_getter(const weft_plan *plan, const weft_image_info *info, const char *name,
                                weft_error *error) {
    if (!plan || !info)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s needs a plan and a place for the info", name);
    return WEFT_OK;
}

weft_status weft_plan_input_info(const weft_plan *plan, int32_t index, weft_image_info *info, weft_error *error) {
    weft_status status = check_getter(plan, info, "weft_plan_input_info", error);
    if (status != WEFT_OK)
        return status;
    if (index < 0 || index >= plan->input_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no input %d", (int)index);
    *info = plan->inputs[index];
    return WEFT_OK;
}

weft_status weft_plan_output_info(const weft_plan *plan, int32_t index, weft_image_info *info, weft_error *error) {
    weft_status status = check_getter(plan, info, "weft_plan_output_info", error);
    if (status != WEFT_OK)
        return status;
    if (index < 0 || index >= plan->output_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no output %d", (int)index);
    *info = plan->outputs[index];
    return WEFT_OK;
}

bool weft_plan_output_is_values(const weft_plan *plan, int32_t index) {
    return plan && index >= 0 && index < plan->output_count && plan->values[index];
}

int32_t weft_plan_passes(const weft_plan *plan) { return plan ? plan->backend->passes(plan->compiled) : 0; }
size_t weft_plan_workspace_size(const weft_plan *plan) {
    return plan ? plan->backend->workspace_size(plan->compiled) : 0;
}

uint64_t weft_plan_memory(const weft_plan *plan) {
    if (!plan)
        return 0;
    if (plan->backend->memory)
        return plan->backend->memory(plan->compiled);
    return weft_plan_bytes(plan) + weft_plan_workspace_size(plan);
}

bool weft_plan_can_stream(const weft_plan *plan) { return plan && plan->backend->can_stream(plan->compiled); }

uint64_t weft_plan_bytes(const weft_plan *plan) {
    size_t size = 0;
    uint64_t bytes = 0;
    if (!plan)
        return 0;
    for (int32_t i = 0; i < plan->recalls.input_count; i++)
        if (weft_image_size(&plan->inputs[i], &size, NULL) == WEFT_OK)
            bytes += size;
    for (int32_t i = 0; i < plan->typed.output_count; i++)
        if (weft_image_size(&plan->outputs[i], &size, NULL) == WEFT_OK)
            bytes += size;
    return bytes;
}

weft_status weft_plan_print(const weft_plan *plan, weft_plan_format format, char **text, weft_error *error) {
    if (!plan || !text)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_print needs a plan and a place for the text");
    *text = NULL;
    return plan->backend->print(plan->compiled, format, text, error);
}

weft_status weft_plan_reach(const weft_plan *plan, int32_t output, int32_t input, weft_reach *reach, weft_error *error) {
    if (!plan || !reach || output < 0 || output >= plan->output_count || input < 0 || input >= plan->input_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_plan_reach needs a plan, one of its outputs and one of its inputs");
    return weft_graph_reach(&plan->typed, output, input, reach, error);
}
