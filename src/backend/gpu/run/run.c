/* SPDX-License-Identifier: MIT
 * A run: this run's parameters and images go into the launches, then band after band goes up, is made, comes down, the three
 * at the same time for different bands. Nothing is allocated or compiled. */
#include <string.h>
#include "backend/gpu/run/values.h"
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"
#include "base/status.h"

static const struct gpu_driver *driver_of(const struct gpu_plan *plan) {
    return ((const struct gpu_device_base *)(const void *)plan->device)->driver;
}

/* What a run keeps track of. */
struct run_state {
    const struct gpu_plan *plan;
    const struct weft_run_request *request;
    struct gpu_point half[4];       /* when the halves of staging memory are free */
    struct gpu_point made[2];       /* of the last two bands */
    struct gpu_point uploaded, downloaded[2];
    struct gpu_external external;
    bool has_external;
    int32_t frame_slot, slot; /* the launches that this run has, and its place for numbers */
    size_t frame_slot_offset;
};

static const weft_image *input_image(const struct run_state *j, int32_t index) { return &j->request->inputs[index].image; }

/* The caller's image that a picture stands for, NULL when it has to travel. */
static const weft_image *on_device(const struct run_state *j, int32_t p) {
    const struct gpu_picture *picture = &j->plan->b.pictures[p];
    const weft_image *image = NULL;
    if (picture->role == GPU_INPUT && !j->request->inputs[picture->index].source.read)
        image = input_image(j, picture->index);
    else if (picture->role == GPU_OUTPUT && !j->request->outputs[picture->index].sink.write)
        image = &j->request->outputs[picture->index].image;
    return image && image->memory != WEFT_MEMORY_HOST ? image : NULL;
}

/* ---- launches */

static void write_words(const struct run_state *j, int32_t pass, struct gpu_launch *launch) {
    const struct gpu_builder *b = &j->plan->b;
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
        memcpy(&launch->words[b->blocks[low].word], j->request->blocks[b->blocks[low].node], filter->block_size);
    }
}

static weft_status write_launch(const struct run_state *j, const struct gpu_launch_record *record, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    struct gpu_launch *launch = (struct gpu_launch *)(void *)(plan->launches.host + j->frame_slot_offset + record->offset);
    const struct gpu_pass *pass = record->pass >= 0 ? plan->b.passes[record->pass] : NULL;
    if (record->for_host)
        launch->image[1].first =
            plan->staging.address + plan->values_at + (size_t)j->slot * plan->values_size + record->staged;
    if (!pass)
        return WEFT_OK;
    write_words(j, record->pass, launch);
    if (record->band < 0)
        return WEFT_OK;
    if (pass->node >= 0)
        launch->border_value =
            pass->border_scale *
            weft_filter_border_value(plan->b.typed->graph->nodes[pass->node].filter, j->request->blocks[pass->node]);
    for (int32_t i = 0; i < pass->picture_count; i++) {
        int32_t p = pass->picture[i];
        const struct gpu_picture *picture = &plan->b.pictures[p];
        if (picture->role != GPU_INPUT && picture->role != GPU_OUTPUT)
            continue;
        const weft_image *image = on_device(j, p);
        uint64_t first = 0;
        weft_status status = image ? driver_of(plan)->import(plan->device, image, &first, error) : WEFT_OK;
        if (status != WEFT_OK)
            return status;
        launch->image[i].first = image ? first : weft_gpu_address(plan, record->stage, record->band, p);
        launch->image[i].pitch = image ? (int64_t)image->stride : plan->stages[record->stage].places[p].pitch;
    }
    return WEFT_OK;
}

/* ---- images on their way */

/* Rows of a stream. Those that nothing needs are read as well, and dropped. */
static weft_status pull(const struct run_state *j, const struct gpu_transfer *t, unsigned char *to, int64_t pitch,
                        weft_error *error) {
    int32_t index = j->plan->b.pictures[t->picture].index;
    const weft_source *source = &j->request->inputs[index].source;
    int64_t *pulled = &j->plan->pulled[index], most = (int64_t)j->plan->staging_half / pitch;
    weft_status status = WEFT_OK;
    while (*pulled < t->first && status == WEFT_OK) {
        int64_t rows = t->first - *pulled < most ? t->first - *pulled : most;
        status = source->read(source->user, *pulled, rows, to, (ptrdiff_t)pitch, error);
        *pulled += rows;
    }
    if (status == WEFT_OK)
        status = source->read(source->user, t->first, t->rows, to, (ptrdiff_t)pitch, error);
    *pulled = t->first + t->rows;
    return status;
}

/* The last rows of sources, which nothing needed, so that a reader reaches its end. Staging memory must be free. */
static weft_status drain(const struct run_state *j, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    weft_status status = WEFT_OK;
    for (int32_t p = 0; p < plan->b.picture_count; p++) {
        const struct gpu_picture *picture = &plan->b.pictures[p];
        int64_t pitch = weft_gpu_row_bytes(picture), most = (int64_t)plan->staging_half / pitch;
        if (picture->role != GPU_INPUT || !j->request->inputs[picture->index].source.read || most == 0)
            continue;
        const weft_source *source = &j->request->inputs[picture->index].source;
        while (plan->pulled[picture->index] < picture->height && status == WEFT_OK) {
            int64_t y = plan->pulled[picture->index], rows = picture->height - y < most ? picture->height - y : most;
            status = source->read(source->user, y, rows, plan->staging.host, (ptrdiff_t)pitch, error);
            plan->pulled[picture->index] += rows;
        }
    }
    return status;
}

static weft_status fill_staging(const struct run_state *j, const struct gpu_transfer *t, unsigned char *to, int64_t pitch,
                                weft_error *error) {
    const struct gpu_picture *picture = &j->plan->b.pictures[t->picture];
    const weft_run_input *input = &j->request->inputs[picture->index];
    size_t row = (size_t)weft_gpu_row_bytes(picture);
    if (input->source.read)
        return pull(j, t, to, pitch, error);
    const unsigned char *from = (const unsigned char *)input->image.data + (ptrdiff_t)t->first * input->image.stride;
    if ((int64_t)input->image.stride == pitch) {
        memcpy(to, from, (size_t)((t->rows - 1) * pitch) + row);
        return WEFT_OK;
    }
    for (int64_t y = 0; y < t->rows; y++)
        memcpy(to + y * pitch, from + (ptrdiff_t)y * input->image.stride, row);
    return WEFT_OK;
}

static weft_status upload(struct run_state *j, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    const struct gpu_stage *s = &plan->stages[stage];
    const struct gpu_driver *driver = driver_of(plan);
    /* The band before the last used this place; and before the first one, either band that was last of the stage before. */
    const struct gpu_point *made = band == 0 ? j->made : &j->made[band % 2];
    const int32_t made_count = band == 0 ? 2 : 1;
    for (int32_t i = s->upload_first[band]; i < s->upload_first[band + 1]; i++) {
        const struct gpu_transfer *t = &s->uploads[i];
        if (on_device(j, t->picture))
            continue;
        if (t->half < 0) {
            weft_status status = driver->submit(plan->device, t->list, made, made_count, NULL, &j->uploaded, error);
            if (status != WEFT_OK)
                return status;
            continue;
        }
        weft_status status = driver->wait(plan->device, j->half[t->half], error);
        if (status == WEFT_OK)
            status = fill_staging(j, t, plan->staging.host + t->staged, s->places[t->picture].pitch, error);
        if (status == WEFT_OK)
            status = driver->submit(plan->device, t->list, made, made_count, NULL, &j->half[t->half], error);
        if (status != WEFT_OK)
            return status;
        j->uploaded = j->half[t->half];
    }
    return WEFT_OK;
}

static weft_status deliver(const struct weft_run_output *output, const struct gpu_picture *picture, int64_t first,
                           int64_t rows, const unsigned char *from, int64_t pitch, weft_error *error) {
    size_t row = (size_t)weft_gpu_row_bytes(picture);
    if (output->sink.write)
        return output->sink.write(output->sink.user, first, rows, from, (ptrdiff_t)pitch, error);
    unsigned char *to = (unsigned char *)output->image.data + (ptrdiff_t)first * output->image.stride;
    for (int64_t y = 0; y < rows; y++)
        memcpy(to + (ptrdiff_t)y * output->image.stride, from + y * pitch, row);
    return WEFT_OK;
}

static weft_status empty_staging(const struct run_state *j, const struct gpu_transfer *t, int64_t pitch, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    const struct gpu_picture *picture = &plan->b.pictures[t->picture];
    return deliver(&j->request->outputs[picture->index], picture, t->first, t->rows, plan->staging.host + t->staged, pitch,
                   error);
}

static weft_status download(struct run_state *j, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    const struct gpu_stage *s = &plan->stages[stage];
    const struct gpu_driver *driver = driver_of(plan);
    const struct gpu_transfer *before = NULL;
    weft_status status = WEFT_OK;
    for (int32_t i = s->download_first[band]; status == WEFT_OK && i <= s->download_first[band + 1]; i++) {
        const struct gpu_transfer *t = i < s->download_first[band + 1] ? &s->downloads[i] : NULL;
        if (t && on_device(j, t->picture))
            continue;
        if (t) {
            status = driver->submit(plan->device, t->list, &j->made[band % 2], 1, NULL, &j->half[2 + t->half], error);
            j->downloaded[band % 2] = j->half[2 + t->half];
        }
        if (before && status == WEFT_OK) {
            status = driver->wait(plan->device, j->half[2 + before->half], error);
            if (status == WEFT_OK)
                status = empty_staging(j, before, s->places[before->picture].pitch, error);
        }
        before = t;
    }
    return status;
}

/* ---- bands */

static weft_status compute(struct run_state *j, int32_t stage, int32_t band, bool last, weft_error *error) {
    const struct gpu_plan *plan = j->plan;
    struct gpu_point waits[2] = {j->uploaded, j->downloaded[band % 2]};
    struct gpu_external external = j->external;
    if (!last)
        external.signal_count = 0;
    weft_status status = driver_of(plan)->submit(plan->device, plan->stages[stage].bands[band].lists[j->frame_slot], waits, 2,
                                                 j->has_external ? &external : NULL, &j->made[band % 2], error);
    j->external.wait_count = 0; /* once is enough */
    return status;
}

static weft_status report(const struct run_state *j, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_stage *s = &j->plan->stages[stage];
    double done = (stage + (band + 1.0) / s->band_count) / j->plan->stage_count;
    if (j->request->progress && !j->request->progress(j->request->progress_user, done))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    return WEFT_OK;
}

static weft_status run_stage(struct run_state *j, int32_t stage, weft_error *error) {
    const struct gpu_stage *s = &j->plan->stages[stage];
    bool last_stage = stage == j->plan->stage_count - 1;
    weft_status status = WEFT_OK;
    for (int32_t k = 0; k < s->band_count && status == WEFT_OK; k++) {
        status = upload(j, stage, k, error);
        if (status == WEFT_OK)
            status = compute(j, stage, k, last_stage && k == s->band_count - 1, error);
        if (status == WEFT_OK && k > 0)
            status = download(j, stage, k - 1, error);
        if (status == WEFT_OK && k > 0)
            status = report(j, stage, k - 1, error);
    }
    if (status == WEFT_OK)
        status = download(j, stage, s->band_count - 1, error);
    return status == WEFT_OK ? report(j, stage, s->band_count - 1, error) : status;
}

/* A run returns early only where all images are on the device: copies from and to the host need the host. Results of
 * reductions stay in their slot until the caller waits for the run; a caller's own stream is not waited for. */
static bool may_return_early(const struct run_state *j) {
    const struct gpu_builder *b = &j->plan->b;
    bool early = j->request->asynchronous;
    for (int32_t p = 0; p < b->picture_count && early; p++)
        if ((b->pictures[p].role == GPU_INPUT || b->pictures[p].role == GPU_OUTPUT) && !on_device(j, p))
            early = false;
    for (int32_t i = 0; i < b->typed->graph->output_count && early; i++)
        if (b->typed->info[b->typed->graph->outputs[i]].format.type == WEFT_F64)
            early = !j->request->outputs[i].sink.write && !j->request->has_stream;
    return early;
}

/* The tables of histograms. A caller's stream may be recording what it gets, for whenever, so there each run clears. */
static weft_status clear_tables(struct run_state *j, struct gpu_plan *plan, weft_error *error) {
    struct gpu_external external = j->external;
    bool needed = plan->clear && (!plan->is_clear || external.has_stream);
    external.wait_count = external.signal_count = 0;
    plan->is_clear = false;
    return needed ? driver_of(plan)->submit(plan->device, plan->clear, NULL, 0, external.has_stream ? &external : NULL,
                                            &j->made[1], error)
                  : WEFT_OK;
}

static weft_status run_locked(struct gpu_plan *plan, const struct weft_run_request *request, weft_error *error) {
    const struct gpu_driver *driver = driver_of(plan);
    struct run_state j = {.plan = plan, .request = request, .frame_slot = plan->frame_slot, .slot = plan->slot};
    j.frame_slot_offset = (size_t)plan->frame_slot * plan->frame_slot_size;
    plan->frame_slot = (plan->frame_slot + 1) % plan->frame_slots;
    plan->slot = (plan->slot + 1) % plan->slots;
    weft_status status = WEFT_OK;
    j.has_external = request->has_stream || request->wait_count > 0 || request->signal_count > 0;
    j.external = (struct gpu_external){.stream = request->stream,
                                       .has_stream = request->has_stream,
                                       .wait = request->wait,
                                       .signal = request->signal,
                                       .wait_count = request->wait_count,
                                       .signal_count = request->signal_count};
    for (int32_t i = 0; i < plan->b.typed->graph->input_count; i++)
        plan->pulled[i] = 0;
    bool early = may_return_early(&j);
    if (request->has_stream && !early)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a run on the caller's stream needs all its images in device memory");
    /* Launches that kernels read from memory may still be read by the run before in this frame slot. Those that go by value are
     * not. */
    if (!request->has_stream && (!early || plan->launches.address != 0))
        status = driver->wait(plan->device, early ? plan->last[j.frame_slot] : plan->latest, error);
    /* What a run that is waited for reads or calls may need what those before it found. */
    if (!early)
        status = status == WEFT_OK ? weft_gpu_values_wait(plan->device, error) : status;
    else if (plan->value_count > 0)
        status = status == WEFT_OK ? weft_gpu_values_free(plan, j.slot, error) : status;
    for (int32_t i = 0; i < plan->record_count && status == WEFT_OK; i++)
        status = write_launch(&j, &plan->records[i], error);
    if (status == WEFT_OK)
        status = clear_tables(&j, plan, error);
    for (int32_t s = 0; s < plan->stage_count && status == WEFT_OK; s++)
        status = run_stage(&j, s, error);
    if (!request->has_stream) {
        /* What was started must end before the images are the caller's again, also when something failed. */
        struct gpu_point points[5] = {j.made[0], j.made[1], j.uploaded, j.downloaded[0], j.downloaded[1]};
        for (int i = 0; i < 5 && (!early || status != WEFT_OK); i++) {
            weft_status ended = driver->wait(plan->device, points[i], status == WEFT_OK ? error : NULL);
            status = status == WEFT_OK ? ended : status;
        }
        plan->is_clear = status == WEFT_OK;
        status = status == WEFT_OK ? drain(&j, error) : status;
        plan->last[j.frame_slot] = plan->latest = j.made[0].value > j.made[1].value ? j.made[0] : j.made[1];
        if (status == WEFT_OK && plan->value_count > 0 && early)
            weft_gpu_values_later(plan, j.slot, plan->latest, request->outputs);
        else if (status == WEFT_OK && plan->value_count > 0)
            status = weft_gpu_values_give(plan, j.slot, request->outputs, error);
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
