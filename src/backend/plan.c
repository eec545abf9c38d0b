/* SPDX-License-Identifier: MIT
 * The front door to plans: all checks happen here, once; then the steps of planning, then the backend. */
#include "backend/plan.h"
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

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

struct weft_draft {
    const weft_plan *plan;
    const weft_plan_options *options;
    struct weft_expanded expanded;
};

/* What is kept is stored as who recalls it reads it. */
static weft_type kept_type(const weft_plan *plan, int32_t output) {
    int32_t i = 0;
    while (plan->recalls.list[i].output != output)
        i++;
    return plan->inputs[plan->input_count + i].format.type;
}

/* What each output is stored as: what was asked for, else the first input's type; numbers are f64. */
static weft_status choose_types(const struct weft_draft *draft, struct weft_typed_graph *typed, weft_error *error) {
    const weft_plan *plan = draft->plan;
    const weft_plan_options *options = draft->options;
    typed->output_types = weft_allocate((size_t)typed->output_count, sizeof *typed->output_types);
    if (!typed->output_types)
        return weft_fail_memory(error, (size_t)typed->output_count * sizeof *typed->output_types, "outputs");
    for (int32_t i = 0; i < typed->output_count; i++) {
        bool values = typed->info[typed->graph->outputs[i]].format.type == WEFT_F64;
        weft_type type = options->output_types && i < plan->output_count ? options->output_types[i] : (weft_type)0;
        if (i >= plan->output_count)
            type = kept_type(plan, i - plan->output_count);
        else if (values)
            type = WEFT_F64;
        else if (type == 0)
            type = plan->input_count > 0 ? plan->inputs[0].format.type : WEFT_U8;
        if (type < WEFT_U8 || type > WEFT_F64 || (type == WEFT_F64 && !values))
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d cannot be stored as type %d; u8, u16, f16 and f32 can",
                             (int)i, (int)type);
        typed->output_types[i] = type;
    }
    return WEFT_OK;
}

weft_status weft_draft_type(const struct weft_draft *draft, const weft_device *device, struct weft_typed_graph *typed,
                            weft_error *error) {
    const weft_image_info *inputs = draft->plan->inputs;
    struct weft_graph *cheap = NULL;
    weft_status status = weft_graph_cheapen(&draft->expanded, inputs, weft_backend_of(device)->keeps, device, &cheap, error);
    if (status == WEFT_OK)
        status = weft_graph_convert(cheap, inputs, typed, error);
    weft_graph_destroy(&cheap);
    if (status == WEFT_OK)
        status = choose_types(draft, typed, error);
    typed->memory = draft->options->memory;
    return status;
}

/* What the outputs are, from the typed graph. */
static weft_status describe_outputs(weft_plan *plan, weft_error *error) {
    const struct weft_typed_graph *typed = &plan->typed;
    size_t count = (size_t)typed->output_count;
    weft_status status = WEFT_OK;
    plan->outputs = weft_allocate(count, sizeof *plan->outputs);
    plan->values = weft_allocate(count, sizeof *plan->values);
    if (!plan->outputs || !plan->values)
        return weft_fail_memory(error, count * sizeof *plan->outputs, "outputs");
    for (int32_t i = 0; status == WEFT_OK && i < typed->output_count; i++) {
        plan->outputs[i] = typed->info[typed->graph->outputs[i]];
        plan->outputs[i].format.type = typed->output_types[i];
        plan->values[i] = typed->output_types[i] == WEFT_F64;
        status = weft_image_size(&plan->outputs[i], &(size_t){0}, error);
    }
    return status;
}

static void clear_outputs(weft_plan *plan) {
    weft_typed_graph_clear(&plan->typed);
    weft_free(plan->blocks);
    weft_free(plan->outputs);
    weft_free(plan->values);
    plan->blocks = NULL, plan->outputs = NULL, plan->values = NULL;
}

/* Makes the plan for the device that is chosen. */
static weft_status compile(weft_plan *plan, const struct weft_draft *draft, weft_error *error) {
    weft_device *device = plan->choice.device;
    clear_outputs(plan);
    plan->backend = weft_backend_of(device);
    weft_status status = weft_draft_type(draft, device, &plan->typed, error);
    if (status == WEFT_OK)
        status = describe_outputs(plan, error);
    if (status != WEFT_OK)
        return status;
    plan->blocks = weft_allocate((size_t)plan->typed.graph->count, sizeof *plan->blocks);
    if (!plan->blocks)
        return weft_fail_memory(error, sizeof *plan->blocks, "parameters");
    for (int32_t n = 0; n < plan->typed.graph->count; n++)
        plan->blocks[n] = plan->typed.graph->nodes[n].block;
    return plan->backend->compile(device, &plan->typed, &plan->compiled, error);
}

static weft_status choose_and_compile(weft_plan *plan, const struct weft_draft *draft, weft_error *error) {
    const struct weft_backend *backend = weft_backend_of(plan->device);
    weft_error refusal = {.status = WEFT_OK};
    plan->choice = (struct weft_choice){.device = plan->device, .last = true};
    weft_status status = backend->choose ? backend->choose(plan->device, draft, NULL, &plan->choice, error) : WEFT_OK;
    if (status == WEFT_OK && !plan->choice.last) {
        if (compile(plan, draft, &refusal) == WEFT_OK)
            return WEFT_OK;
        status = backend->choose(plan->device, draft, &refusal, &plan->choice, error);
    }
    return status == WEFT_OK ? compile(plan, draft, error) : status;
}

static void report(const weft_plan *plan) {
    const weft_log *log = &((const struct weft_device_base *)(const void *)plan->device)->log;
    if (plan->choice.why[0])
        weft_log_print(log, WEFT_LOG_DEBUG, "%s", plan->choice.why);
    weft_log_print(log, WEFT_LOG_DEBUG, "planned %d nodes as %d on %s: %d passes, %zu bytes of workspace",
                   (int)plan->graph->count, (int)plan->typed.graph->count, plan->backend->name, (int)weft_plan_passes(plan),
                   weft_plan_workspace_size(plan));
}

weft_status weft_plan_create(weft_device *device, const weft_graph *graph, const weft_plan_options *options,
                             weft_plan **result, weft_error *error) {
    struct weft_draft draft = {.options = options};
    weft_plan *plan;
    if (result)
        *result = NULL;
    weft_status status = check_options(device, graph, options, result, error);
    if (status != WEFT_OK)
        return status;
    draft.plan = plan = weft_allocate(1, sizeof *plan);
    if (!plan)
        return weft_fail_memory(error, sizeof *plan, "the plan");
    plan->device = device;
    weft_reference_count_add(&((struct weft_device_base *)(void *)device)->holders);
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
        status = weft_graph_expand(plan->graph, &plan->recalls, &draft.expanded, error);
    plan->inputs = plan->recalls.inputs;
    if (status == WEFT_OK)
        status = choose_and_compile(plan, &draft, error);
    weft_expanded_clear(&draft.expanded);
    if (status == WEFT_OK)
        report(plan);
    else
        weft_plan_destroy(&plan);
    *result = plan;
    return status;
}

static void destroy(weft_plan *p) {
    if (p->compiled && (p->backend->forks || !weft_device_is_foreign(p->device)))
        p->backend->destroy(p->compiled);
    clear_outputs(p);
    weft_graph_destroy(&p->graph);
    weft_recalls_clear(&p->recalls);
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
