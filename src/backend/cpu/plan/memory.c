/* SPDX-License-Identifier: MIT
 * What a run of a plan takes of memory. */
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/stream.h"
#include "base/status.h"

static weft_status no_read(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    (void)user, (void)y, (void)count, (void)rows, (void)stride;
    return weft_fail(error, WEFT_ERROR_INTERNAL, "nothing is read to plan");
}
static weft_status no_write(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    (void)user, (void)y, (void)count, (void)rows, (void)stride;
    return weft_fail(error, WEFT_ERROR_INTERNAL, "nothing is written to plan");
}

bool weft_cpu_can_stream(const void *compiled) {
    const struct cpu_plan *plan = compiled;
    return plan->spills || (plan->schedule.stages == 1 && !plan->stages[0].reads_whole_input);
}

struct taken {
    uint64_t held;   /* rings and windows, */
    uint64_t mapped; /* and files, all of them */
};

/* What a stage has in memory between streams. */
static weft_status stage_takes(struct cpu_run *run, struct taken *taken, weft_error *error) {
    const struct cpu_plan *plan = run->plan;
    struct streaming s;
    weft_status status = weft_streaming_open(&s, run, error);
    if (status == WEFT_OK)
        status = weft_streaming_choose(&s, error);
    taken->held = 0;
    if (status == WEFT_OK) {
        uint64_t rings = s.goes_on ? run->stage->lane_bytes * (size_t)run->stage->strips
                                   : plan->lane_bytes * (size_t)plan->device->threads;
        *(s.goes_on && weft_rings_apart(plan, rings) ? &taken->mapped : &taken->held) += rings;
    }
    for (int32_t i = 0; status == WEFT_OK && i < s.count; i++) {
        if (i < plan->typed->graph->input_count && weft_stream_spills(&s, i))
            taken->mapped += (uint64_t)s.infos[i].height * weft_stream_row(&s.streams[i]);
        else
            taken->held += (uint64_t)s.streams[i].capacity * weft_stream_row(&s.streams[i]);
    }
    weft_streaming_close(&s);
    weft_run_uncut(run);
    return status;
}

/* The same for all stages; `held` is that of the stage that holds most. */
static weft_status plan_takes(const struct cpu_plan *plan, struct taken *taken, weft_error *error) {
    const struct weft_graph *graph = plan->typed->graph;
    size_t inputs = (size_t)graph->input_count, outputs = (size_t)graph->output_count;
    weft_run_input *sources = weft_allocate(inputs + 1, sizeof *sources);
    weft_run_output *sinks = weft_allocate(outputs + 1, sizeof *sinks);
    struct view *views = weft_allocate(inputs + outputs + 1, sizeof *views);
    struct weft_run_request request = {.inputs = sources, .outputs = sinks};
    struct cpu_run run = {.plan = plan, .request = &request, .inputs = views, .outputs = views ? views + inputs : NULL};
    weft_status status = WEFT_OK;
    uint64_t most = 0;
    *taken = (struct taken){.mapped = plan->kept_apart};
    if (!sources || !sinks || !views)
        status = weft_fail_memory(error, inputs * sizeof *sources, "what a run takes of memory");
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++) {
        size_t size = 0;
        if (graph->nodes[n].filter)
            continue;
        sources[graph->nodes[n].input].source.read = no_read;
        if (plan->spills && weft_image_size(&plan->typed->info[n], &size, NULL) == WEFT_OK) {
            views[graph->nodes[n].input].count = INT64_MAX;
            taken->mapped += size;
        }
    }
    for (size_t i = 0; status == WEFT_OK && i < outputs; i++)
        sinks[i].sink.write = no_write;
    for (int32_t s = 0; status == WEFT_OK && s < plan->schedule.stages; s++) {
        run.stage = &plan->stages[s];
        if (run.stage->count == 0)
            continue;
        status = stage_takes(&run, taken, error);
        most = taken->held > most ? taken->held : most;
    }
    taken->held = most + plan->workspace - plan->lane_bytes * (size_t)plan->device->threads;
    weft_free(sources);
    weft_free(sinks);
    weft_free(views);
    return status;
}

weft_status weft_cpu_share_memory(struct cpu_plan *plan, weft_error *error) {
    struct taken taken;
    uint64_t memory = plan->typed->memory, least = memory / 8;
    weft_status status = plan_takes(plan, &taken, error);
    if (status == WEFT_OK)
        plan->mapped_most = (int64_t)(memory > taken.held + least ? memory - taken.held : least);
    return status;
}

weft_status weft_cpu_peak(const struct cpu_plan *plan, uint64_t *peak, weft_error *error) {
    struct taken taken;
    *peak = weft_plan_image_bytes(plan) + plan->workspace;
    if (!weft_cpu_can_stream(plan))
        return WEFT_OK;
    weft_status status = plan_takes(plan, &taken, error);
    if (status != WEFT_OK)
        return status;
    if (plan->large && taken.mapped > (uint64_t)plan->mapped_most)
        taken.mapped = (uint64_t)plan->mapped_most;
    *peak = taken.held + taken.mapped;
    return WEFT_OK;
}

uint64_t weft_cpu_memory(const void *compiled) {
    uint64_t peak;
    weft_cpu_peak(compiled, &peak, NULL); /* without memory to compute this exactly: with whole images */
    return peak;
}
