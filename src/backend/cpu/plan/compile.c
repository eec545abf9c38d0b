/* SPDX-License-Identifier: MIT
 * From a typed graph to stages of steps. */
#include <string.h>
#include "backend/cpu/plan/stage_builder.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "base/status.h"

/* What the stage delivers: outputs that it makes, and images that later stages want. */
static weft_status lower_sinks(struct making *m, weft_error *error) {
    const struct weft_typed_graph *typed = m->b.typed;
    const struct weft_schedule *schedule = &m->plan->schedule;
    for (int32_t i = 0; i < typed->graph->output_count; i++) {
        int32_t n = typed->graph->outputs[i], step;
        bool is_input = !typed->graph->nodes[n].filter;
        if (schedule->stage[n] != m->stage || typed->info[n].format.type == WEFT_F64)
            continue;
        bool same = typed->output_types[i] == typed->info[n].format.type;
        weft_status status;
        if (!same || !(is_input || m->member[n]))
            status = weft_rows_of(m, n, false, &step, error);
        else
            status = weft_rows_of(m, n, true, &step, error);
        if (status == WEFT_OK)
            status = weft_lower_store(&m->b, step, i, error);
        if (status != WEFT_OK)
            return status;
    }
    for (int32_t n = 0; n < typed->graph->count; n++) {
        int32_t step;
        /* Inputs too: one of their numbers may be another filter's parameter. */
        if (!schedule->keep[n] || schedule->stage[n] != m->stage || typed->info[n].format.type == WEFT_F64 ||
            weft_is_global(typed, n)) /* made where it stays */
            continue;
        weft_status status = weft_rows_of(m, n, true, &step, error);
        if (status == WEFT_OK) {
            m->plan->kept[n].type = m->b.stage->steps[step].type;
            status = weft_lower_keep(&m->b, step, n, error);
        }
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

static weft_status make_stage(struct cpu_plan *plan, int32_t stage, weft_error *error) {
    size_t count = (size_t)plan->typed->graph->count;
    struct making m = {
        .b = {plan->typed, plan->device->isa->bodies, &plan->device->kernels, &plan->stages[stage]}, .plan = plan, .stage = stage};
    weft_status status = WEFT_OK;
    m.member = weft_allocate(count, sizeof *m.member);
    m.group = weft_allocate(count, sizeof *m.group);
    m.native = weft_allocate(count, sizeof *m.native);
    m.f32 = weft_allocate(count, sizeof *m.f32);
    if (!m.member || !m.group || !m.native || !m.f32) {
        status = weft_fail_memory(error, count * sizeof *m.group, "planning");
        goto done;
    }
    memset(m.native, 0xff, count * sizeof *m.native);
    memset(m.f32, 0xff, count * sizeof *m.f32);
    weft_schedule_members(plan->typed, &plan->schedule, stage, m.member);
    status = weft_fuse(plan->typed, &plan->schedule, stage, m.member, m.group, error);
    for (int32_t n = 0; status == WEFT_OK && n < plan->typed->graph->count; n++)
        if (m.member[n]) {
            status = weft_lower_node(&m, n, error);
            if (status != WEFT_OK)
                weft_error_at(error, plan->typed->graph->nodes[n].origin,
                              plan->typed->graph->nodes[n].filter->info.name, NULL);
        }
    if (status == WEFT_OK)
        status = lower_sinks(&m, error);
    if (status == WEFT_OK) {
        weft_programs_inline(&plan->stages[stage], &plan->device->kernels);
        weft_sinks_take(&plan->stages[stage]);
        status = weft_stage_size(&plan->stages[stage], plan->device, plan->typed, error);
        plan->stages[stage].joins = weft_stage_joins(&plan->stages[stage], plan->typed);
    }
done:
    weft_free(m.member);
    weft_free(m.group);
    weft_free(m.native);
    weft_free(m.f32);
    return status;
}

weft_status weft_cpu_compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                             weft_error *error) {
    struct cpu_plan *plan = weft_allocate(1, sizeof *plan);
    size_t count = (size_t)typed->graph->count;
    *compiled = NULL;
    if (!plan)
        return weft_fail_memory(error, sizeof *plan, "the plan");
    plan->device = (const struct cpu_device *)(const void *)device;
    plan->typed = typed;
    weft_status status = weft_schedule_make(typed, &plan->schedule, error);
    if (status == WEFT_OK) {
        plan->stages = weft_allocate((size_t)plan->schedule.stages, sizeof *plan->stages);
        plan->kept = weft_allocate(count, sizeof *plan->kept);
        plan->block = weft_allocate(count, sizeof *plan->block);
        plan->partial = weft_allocate(count, sizeof *plan->partial);
        if (!plan->stages || !plan->kept || !plan->block || !plan->partial)
            status = weft_fail_memory(error, count * sizeof *plan->kept, "the plan");
    }
    for (int32_t s = 0; status == WEFT_OK && s < plan->schedule.stages; s++)
        status = make_stage(plan, s, error);
    if (status == WEFT_OK)
        status = weft_lay_out_workspace(plan, error);
    if (status != WEFT_OK) {
        weft_cpu_destroy(plan);
        return status;
    }
    *compiled = plan;
    return WEFT_OK;
}

void weft_cpu_destroy(void *compiled) {
    struct cpu_plan *plan = compiled;
    for (int32_t s = 0; plan->stages && s < plan->schedule.stages; s++) {
        struct stage *stage = &plan->stages[s];
        for (int32_t i = 0; i < stage->count; i++) {
            if (stage->steps[i].kind->destroy)
                stage->steps[i].kind->destroy(stage->steps[i].data);
            else
                weft_free(stage->steps[i].data);
        }
        weft_free(stage->steps);
        weft_free(stage->globals);
    }
    weft_free(plan->stages);
    weft_free(plan->kept);
    weft_free(plan->block);
    weft_free(plan->partial);
    weft_schedule_clear(&plan->schedule);
    weft_free(plan);
}
