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

/* Bytes of rings, windows and files that a stage has in memory between streams. */
static weft_status stage_bytes(struct cpu_run *run, uint64_t *held, uint64_t *mapped, weft_error *error) {
    const struct cpu_plan *plan = run->plan;
    struct streaming s;
    weft_status status = weft_streaming_open(&s, run, error);
    if (status == WEFT_OK)
        status = weft_streaming_choose(&s, error);
    *held = 0;
    if (status == WEFT_OK)
        *held = s.goes_on ? run->stage->lane_bytes * (size_t)run->stage->strips
                          : plan->lane_bytes * (size_t)plan->device->threads;
    for (int32_t i = 0; status == WEFT_OK && i < s.count; i++) {
        if (i < plan->typed->graph->input_count && weft_stream_spills(&s, i))
            *mapped += (uint64_t)s.infos[i].height * weft_stream_row(&s.streams[i]);
        else
            *held += (uint64_t)s.streams[i].capacity * weft_stream_row(&s.streams[i]);
    }
    weft_streaming_close(&s);
    weft_run_uncut(run);
    return status;
}

weft_status weft_cpu_peak(const struct cpu_plan *plan, uint64_t *peak, weft_error *error) {
    const struct weft_graph *graph = plan->typed->graph;
    uint64_t whole = weft_plan_image_bytes(plan) + plan->workspace, most = 0, held, mapped = plan->kept_apart;
    *peak = whole;
    if (!weft_cpu_can_stream(plan))
        return WEFT_OK;
    size_t inputs = (size_t)graph->input_count, outputs = (size_t)graph->output_count;
    weft_run_input *sources = weft_allocate(inputs, sizeof *sources);
    weft_run_output *sinks = weft_allocate(outputs, sizeof *sinks);
    struct view *views = weft_allocate(inputs + outputs, sizeof *views);
    struct weft_run_request request = {.inputs = sources, .outputs = sinks};
    struct cpu_run run = {.plan = plan, .request = &request, .inputs = views, .outputs = views ? views + inputs : NULL};
    weft_status status = WEFT_OK;
    if (!sources || !sinks || !views)
        status = weft_fail_memory(error, inputs * sizeof *sources, "what a run takes of memory");
    for (int32_t n = 0; status == WEFT_OK && n < graph->count; n++) {
        size_t size = 0;
        if (graph->nodes[n].filter)
            continue;
        sources[graph->nodes[n].input].source.read = no_read;
        if (plan->spills && weft_image_size(&plan->typed->info[n], &size, NULL) == WEFT_OK) {
            views[graph->nodes[n].input].count = INT64_MAX;
            mapped += size;
        }
    }
    for (size_t i = 0; status == WEFT_OK && i < outputs; i++)
        sinks[i].sink.write = no_write;
    for (int32_t s = 0; status == WEFT_OK && s < plan->schedule.stages; s++) {
        run.stage = &plan->stages[s];
        held = 0;
        if (run.stage->count)
            status = stage_bytes(&run, &held, &mapped, error);
        most = held > most ? held : most;
    }
    weft_free(sources);
    weft_free(sinks);
    weft_free(views);
    if (mapped > (uint64_t)plan->mapped_most && plan->typed->memory > 0)
        mapped = (uint64_t)plan->mapped_most;
    if (status == WEFT_OK)
        *peak = most + mapped + plan->workspace - plan->lane_bytes * (size_t)plan->device->threads;
    return status;
}

uint64_t weft_cpu_memory(const void *compiled) {
    uint64_t peak;
    weft_cpu_peak(compiled, &peak, NULL); /* whole images where there is no memory to look closer */
    return peak;
}
