/* SPDX-License-Identifier: MIT
 * A run: this run's parameters and images go into the launches, then band after band goes up, is made, comes down, the three
 * at the same time for different bands. Nothing is allocated or compiled. */
#include "backend/gpu/run/run.h"
#include <string.h>
#include "backend/gpu/run/values.h"
#include "base/memory.h"
#include "base/status.h"

static void write_words(const struct run_state *run, int32_t pass, struct gpu_launch *launch) {
    const struct gpu_builder *b = &run->plan->b;
    int32_t low = 0, high = b->block_count;
    while (low < high) { /* blocks are in order of passes */
        int32_t middle = low + (high - low) / 2;
        if (b->blocks[middle].pass < pass)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < b->block_count && b->blocks[low].pass == pass; low++) {
        const struct weft_filter *filter = b->typed->graph->nodes[b->blocks[low].node].filter;
        memcpy(&launch->words[b->blocks[low].word], run->request->blocks[b->blocks[low].node], filter->block_size);
    }
}

static weft_status write_launch(const struct run_state *run, const struct gpu_launch_record *record, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    struct gpu_launch *launch = (struct gpu_launch *)(void *)(plan->launches.host + run->frame_slot_offset + record->offset);
    const struct gpu_pass *pass = record->pass >= 0 ? plan->b.passes[record->pass] : NULL;
    if (record->for_host)
        launch->image[1].first =
            plan->staging.address + plan->values_at + (size_t)run->slot * plan->values_size + record->staged;
    if (!pass)
        return WEFT_OK;
    write_words(run, record->pass, launch);
    if (record->band < 0)
        return WEFT_OK;
    if (pass->node >= 0)
        launch->border_value =
            pass->border_scale *
            weft_filter_border_value(plan->b.typed->graph->nodes[pass->node].filter, run->request->blocks[pass->node]);
    for (int32_t i = 0; i < pass->picture_count; i++) {
        int32_t p = pass->picture[i];
        const struct gpu_picture *picture = &plan->b.pictures[p];
        if (picture->role != GPU_INPUT && picture->role != GPU_OUTPUT)
            continue;
        const weft_image *image = weft_gpu_on_device(run, p);
        uint64_t first = 0;
        weft_status status = image ? weft_gpu_driver(plan)->import(plan->device, image, &first, error) : WEFT_OK;
        if (status != WEFT_OK)
            return status;
        launch->image[i].first = image ? first : weft_gpu_address(plan, record->stage, record->band, p);
        launch->image[i].pitch = image ? (int64_t)image->stride : plan->stages[record->stage].places[p].pitch;
    }
    return WEFT_OK;
}

static weft_status compute(struct run_state *run, int32_t stage, int32_t band, bool last, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    struct gpu_point waits[2] = {run->uploaded, run->downloaded[band % 2]};
    struct gpu_external external = run->external;
    if (!last)
        external.signal_count = 0;
    weft_status status = weft_gpu_driver(plan)->submit(plan->device, plan->stages[stage].bands[band].lists[run->frame_slot], waits,
                                                       2, run->has_external ? &external : NULL, &run->made[band % 2], error);
    run->external.wait_count = 0; /* once is enough */
    return status;
}

static weft_status report(const struct run_state *run, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_stage *s = &run->plan->stages[stage];
    double done = (stage + (band + 1.0) / s->band_count) / run->plan->stage_count;
    if (run->request->progress && !run->request->progress(run->request->progress_user, done))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    return WEFT_OK;
}

static weft_status run_stage(struct run_state *run, int32_t stage, weft_error *error) {
    const struct gpu_stage *s = &run->plan->stages[stage];
    bool last_stage = stage == run->plan->stage_count - 1;
    weft_status status = WEFT_OK;
    for (int32_t k = 0; k < s->band_count && status == WEFT_OK; k++) {
        status = weft_gpu_upload(run, stage, k, error);
        if (status == WEFT_OK)
            status = compute(run, stage, k, last_stage && k == s->band_count - 1, error);
        if (status == WEFT_OK && k > 0)
            status = weft_gpu_download(run, stage, k - 1, error);
        if (status == WEFT_OK && k > 0)
            status = report(run, stage, k - 1, error);
    }
    if (status == WEFT_OK)
        status = weft_gpu_download(run, stage, s->band_count - 1, error);
    return status == WEFT_OK ? report(run, stage, s->band_count - 1, error) : status;
}

/* A run returns early only where all images are on the device: copies from and to the host need the host. Results of
 * reductions stay in their slot until the caller waits for the run; a caller's own stream is not waited for. */
static bool may_return_early(const struct run_state *run) {
    const struct gpu_builder *b = &run->plan->b;
    bool early = run->request->asynchronous;
    for (int32_t p = 0; p < b->picture_count && early; p++)
        if ((b->pictures[p].role == GPU_INPUT || b->pictures[p].role == GPU_OUTPUT) && !weft_gpu_on_device(run, p))
            early = false;
    for (int32_t i = 0; i < b->typed->graph->output_count && early; i++)
        if (b->typed->info[b->typed->graph->outputs[i]].format.type == WEFT_F64)
            early = !run->request->outputs[i].sink.write && !run->request->has_stream;
    return early;
}

/* The tables of histograms. A caller's stream may be recording what it gets, for whenever, so there each run clears. */
static weft_status clear_tables(struct run_state *run, struct gpu_plan *plan, weft_error *error) {
    struct gpu_external external = run->external;
    bool needed = plan->clear && (!plan->is_clear || external.has_stream);
    external.wait_count = external.signal_count = 0;
    plan->is_clear = false;
    return needed ? weft_gpu_driver(plan)->submit(plan->device, plan->clear, NULL, 0, external.has_stream ? &external : NULL,
                                                  &run->made[1], error)
                  : WEFT_OK;
}

static weft_status run_locked(struct gpu_plan *plan, const struct weft_run_request *request, weft_error *error) {
    const struct gpu_driver *driver = weft_gpu_driver(plan);
    struct run_state run = {.plan = plan, .request = request, .frame_slot = plan->frame_slot, .slot = plan->slot};
    run.frame_slot_offset = (size_t)plan->frame_slot * plan->frame_slot_size;
    plan->frame_slot = (plan->frame_slot + 1) % plan->frame_slots;
    plan->slot = (plan->slot + 1) % plan->slots;
    weft_status status = WEFT_OK;
    run.has_external = request->has_stream || request->wait_count > 0 || request->signal_count > 0;
    run.external = (struct gpu_external){.stream = request->stream,
                                         .has_stream = request->has_stream,
                                         .wait = request->wait,
                                         .signal = request->signal,
                                         .wait_count = request->wait_count,
                                         .signal_count = request->signal_count};
    for (int32_t i = 0; i < plan->b.typed->graph->input_count; i++)
        plan->pulled[i] = 0;
    bool early = may_return_early(&run);
    if (request->has_stream && !early)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a run on the caller's stream needs all its images in device memory");
    /* Launches that kernels read from memory may still be read by the run before in this frame slot. Those that go by value are
     * not. */
    if (!request->has_stream && (!early || plan->launches.address != 0))
        status = driver->wait(plan->device, early ? plan->last[run.frame_slot] : plan->latest, error);
    /* What a run that is waited for reads or calls may need what those before it found. */
    if (!early)
        status = status == WEFT_OK ? weft_gpu_values_wait(plan->device, error) : status;
    else if (plan->value_count > 0)
        status = status == WEFT_OK ? weft_gpu_values_free(plan, run.slot, error) : status;
    for (int32_t i = 0; i < plan->record_count && status == WEFT_OK; i++)
        status = write_launch(&run, &plan->records[i], error);
    if (status == WEFT_OK)
        status = clear_tables(&run, plan, error);
    for (int32_t s = 0; s < plan->stage_count && status == WEFT_OK; s++)
        status = run_stage(&run, s, error);
    if (!request->has_stream) {
        /* What was started must end before the images are the caller's again, also when something failed. */
        struct gpu_point points[5] = {run.made[0], run.made[1], run.uploaded, run.downloaded[0], run.downloaded[1]};
        for (int i = 0; i < 5 && (!early || status != WEFT_OK); i++) {
            weft_status ended = driver->wait(plan->device, points[i], status == WEFT_OK ? error : NULL);
            status = status == WEFT_OK ? ended : status;
        }
        plan->is_clear = status == WEFT_OK;
        status = status == WEFT_OK ? weft_gpu_drain_sources(&run, error) : status;
        plan->last[run.frame_slot] = plan->latest = run.made[0].value > run.made[1].value ? run.made[0] : run.made[1];
        if (status == WEFT_OK && plan->value_count > 0 && early)
            weft_gpu_values_later(plan, run.slot, plan->latest, request->outputs);
        else if (status == WEFT_OK && plan->value_count > 0)
            status = weft_gpu_values_give(plan, run.slot, request->outputs, error);
    }
    return status;
}

weft_status weft_gpu_run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    struct gpu_plan *plan = (struct gpu_plan *)(uintptr_t)compiled; /* its memory is one, behind a lock */
    pthread_mutex_lock(&plan->lock);
    weft_status status = run_locked(plan, request, error);
    pthread_mutex_unlock(&plan->lock);
    return status;
}
