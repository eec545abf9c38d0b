/* SPDX-License-Identifier: MIT
 * Copies images between the host and the device, through staging memory. */
#include "backend/gpu/run/run.h"
#include <string.h>
#include "base/memory.h"

const weft_image *weft_gpu_on_device(const struct run_state *run, int32_t p) {
    const struct gpu_picture *picture = &run->plan->b.pictures[p];
    const weft_image *image = NULL;
    if (picture->role == GPU_INPUT && !run->request->inputs[picture->index].source.read)
        image = &run->request->inputs[picture->index].image;
    else if (picture->role == GPU_OUTPUT && !run->request->outputs[picture->index].sink.write)
        image = &run->request->outputs[picture->index].image;
    return image && image->memory != WEFT_MEMORY_HOST ? image : NULL;
}

/* Rows of a stream. Those that nothing needs are read as well, and dropped. */
static weft_status pull(const struct run_state *run, const struct gpu_transfer *t, unsigned char *to, int64_t pitch,
                        weft_error *error) {
    int32_t index = run->plan->b.pictures[t->picture].index;
    const weft_source *source = &run->request->inputs[index].source;
    int64_t *pulled = &run->plan->pulled[index], most = (int64_t)run->plan->staging_half / pitch;
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

weft_status weft_gpu_drain_sources(const struct run_state *run, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    weft_status status = WEFT_OK;
    for (int32_t p = 0; p < plan->b.picture_count; p++) {
        const struct gpu_picture *picture = &plan->b.pictures[p];
        int64_t pitch = weft_gpu_row_bytes(picture), most = (int64_t)plan->staging_half / pitch;
        if (picture->role != GPU_INPUT || !run->request->inputs[picture->index].source.read || most == 0)
            continue;
        const weft_source *source = &run->request->inputs[picture->index].source;
        while (plan->pulled[picture->index] < picture->height && status == WEFT_OK) {
            int64_t y = plan->pulled[picture->index], rows = picture->height - y < most ? picture->height - y : most;
            status = source->read(source->user, y, rows, plan->staging.host, (ptrdiff_t)pitch, error);
            plan->pulled[picture->index] += rows;
        }
    }
    return status;
}

static weft_status fill_staging(const struct run_state *run, const struct gpu_transfer *t, unsigned char *to, int64_t pitch,
                                weft_error *error) {
    const struct gpu_picture *picture = &run->plan->b.pictures[t->picture];
    const weft_run_input *input = &run->request->inputs[picture->index];
    size_t row = (size_t)weft_gpu_row_bytes(picture);
    if (input->source.read)
        return pull(run, t, to, pitch, error);
    const unsigned char *from = (const unsigned char *)input->image.data + (ptrdiff_t)t->first * input->image.stride;
    if ((int64_t)input->image.stride == pitch) {
        memcpy(to, from, (size_t)((t->rows - 1) * pitch) + row);
        return WEFT_OK;
    }
    for (int64_t y = 0; y < t->rows; y++)
        memcpy(to + y * pitch, from + (ptrdiff_t)y * input->image.stride, row);
    return WEFT_OK;
}

weft_status weft_gpu_upload(struct run_state *run, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    const struct gpu_stage *s = &plan->stages[stage];
    const struct gpu_driver *driver = weft_gpu_driver(plan);
    /* The band before the last used this place; and before the first one, either band that was last of the stage before. */
    const struct gpu_point *made = band == 0 ? run->made : &run->made[band % 2];
    const int32_t made_count = band == 0 ? 2 : 1;
    for (int32_t i = s->upload_first[band]; i < s->upload_first[band + 1]; i++) {
        const struct gpu_transfer *t = &s->uploads[i];
        if (weft_gpu_on_device(run, t->picture))
            continue;
        if (t->half < 0) {
            weft_status status = driver->submit(plan->device, t->list, made, made_count, NULL, &run->uploaded, error);
            if (status != WEFT_OK)
                return status;
            continue;
        }
        weft_status status = driver->wait(plan->device, run->half[t->half], error);
        if (status == WEFT_OK)
            status = fill_staging(run, t, plan->staging.host + t->staged, s->places[t->picture].pitch, error);
        if (status == WEFT_OK)
            status = driver->submit(plan->device, t->list, made, made_count, NULL, &run->half[t->half], error);
        if (status != WEFT_OK)
            return status;
        run->uploaded = run->half[t->half];
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

static weft_status empty_staging(const struct run_state *run, const struct gpu_transfer *t, int64_t pitch, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    const struct gpu_picture *picture = &plan->b.pictures[t->picture];
    return deliver(&run->request->outputs[picture->index], picture, t->first, t->rows, plan->staging.host + t->staged, pitch,
                   error);
}

/* Waits for a copy and takes it out of its half of the staging memory. */
static weft_status receive(struct run_state *run, int32_t stage, const struct gpu_transfer *t, weft_error *error) {
    weft_status status = weft_gpu_driver(run->plan)->wait(run->plan->device, run->half[2 + t->half], error);
    if (status == WEFT_OK)
        status = empty_staging(run, t, run->plan->stages[stage].places[t->picture].pitch, error);
    return status;
}

/* One copy is under way while the one before it is taken out, if they are in different halves: halves take turns, but what is on
 * the device is left out. */
weft_status weft_gpu_download(struct run_state *run, int32_t stage, int32_t band, weft_error *error) {
    const struct gpu_plan *plan = run->plan;
    const struct gpu_stage *s = &plan->stages[stage];
    const struct gpu_transfer *before = NULL;
    weft_status status = WEFT_OK;
    for (int32_t i = s->download_first[band]; status == WEFT_OK && i < s->download_first[band + 1]; i++) {
        const struct gpu_transfer *t = &s->downloads[i];
        struct gpu_point *copied = &run->half[2 + t->half];
        if (weft_gpu_on_device(run, t->picture))
            continue;
        if (before && before->half == t->half) {
            status = receive(run, stage, before, error);
            before = NULL;
        }
        if (status == WEFT_OK)
            status = weft_gpu_driver(plan)->submit(plan->device, t->list, &run->made[band % 2], 1, NULL, copied, error);
        run->downloaded[band % 2] = *copied;
        if (before && status == WEFT_OK)
            status = receive(run, stage, before, error);
        before = t;
    }
    return before && status == WEFT_OK ? receive(run, stage, before, error) : status;
}
