/* SPDX-License-Identifier: MIT
 * weft_filter_files: a first plan tells what the graph makes, the files tell what they can hold, and a second plan
 * makes that; then the run, between reading what cannot be streamed and writing it. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "files/read_ahead.h"
#include "files/write_behind.h"
#include "files/files.h"
#include "graph/graph.h"

weft_status weft_files_progress(const struct weft_files_job *job, weft_files_step step, double done,
                                weft_error *error) {
    if (job->files->progress && !job->files->progress(job->files->user, step, done))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "the caller stopped the work");
    return WEFT_OK;
}

weft_status weft_files_name(const char *path, weft_status status, weft_error *error) {
    if (status == WEFT_OK || !error || strcmp(path, "-") == 0 || strstr(error->message, path))
        return status;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    int length = snprintf(error->message, sizeof error->message, "%.200s: ", path);
    snprintf(error->message + length, sizeof error->message - (size_t)length, "%s", message);
    return status;
}

weft_status weft_files_memory(weft_image *image, const char *path, weft_error *error) {
    size_t size;
    weft_status status = weft_image_size(&image->info, &size, error);
    if (status != WEFT_OK)
        return weft_files_name(path, status, error);
    image->data = weft_allocate_aligned(size);
    image->stride = (ptrdiff_t)(size / (size_t)image->info.height);
    return image->data ? WEFT_OK : weft_fail_memory(error, size, path);
}

int64_t weft_files_rows(const weft_image_info *info) {
    int64_t row = info->width * (int64_t)weft_format_size(info->format), rows = (1 << 20) / (row ? row : 1);
    return rows < 1 ? 1 : rows < info->height ? rows : info->height;
}

/* Whether there were frames before. */
static bool goes_on(const struct weft_files_job *job) { return job->files->sequence && job->files->sequence->plan; }

static weft_status make_plan(struct weft_files_job *job, const weft_type *types, weft_error *error) {
    weft_plan_options options = {.inputs = job->infos,
                                 .input_count = job->input_count,
                                 .memory = job->files->memory,
                                 .output_types = types,
                                 .output_type_count = types ? job->output_count : 0};
    if (!goes_on(job))
        weft_plan_destroy(&job->plan);
    return weft_plan_create(job->device, job->graph, &options, &job->plan, error);
}

/* The plan that makes what the files hold. */
static weft_status plan_for_files(struct weft_files_job *job, weft_error *error) {
    weft_type *types = weft_allocate((size_t)job->output_count, sizeof *types);
    bool again = false;
    if (!types)
        return weft_fail_memory(error, (size_t)job->output_count * sizeof *types, "outputs");
    for (int32_t i = 0; i < job->output_count; i++) {
        types[i] = job->outputs[i].type;
        again = again || (types[i] && types[i] != job->outputs[i].made.format.type);
    }
    weft_status status = again ? make_plan(job, types, error) : WEFT_OK;
    weft_free(types);
    return status;
}

/* The plan of the frames before, which this one must fit. */
static weft_status take_plan(struct weft_files_job *job, weft_error *error) {
    weft_image_info had;
    char was[16], is[16];
    job->plan = job->files->sequence->plan;
    if (weft_plan_input_count(job->plan) != job->input_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the frame has %d inputs, those before it had %d",
                         (int)job->input_count, (int)weft_plan_input_count(job->plan));
    for (int32_t i = 0; i < job->input_count; i++) {
        const weft_image_info *info = &job->infos[i];
        weft_status status = weft_plan_input_info(job->plan, i, &had, error);
        if (status != WEFT_OK)
            return status;
        if (had.width == info->width && had.height == info->height && had.format.type == info->format.type &&
            had.format.channels == info->format.channels && had.alpha == info->alpha && had.space == info->space)
            continue;
        weft_format_print(had.format, was, sizeof was);
        weft_format_print(info->format, is, sizeof is);
        return weft_fail(error, WEFT_ERROR_FORMAT,
                         "%s is %lldx%lld %s, but the sequence began with %lldx%lld %s; all its frames must be alike",
                         job->inputs[i].path, (long long)info->width, (long long)info->height, is, (long long)had.width,
                         (long long)had.height, was);
    }
    return WEFT_OK;
}

/* The first frame's plan is that of all. */
static weft_status begin_sequence(struct weft_files_job *job, weft_error *error) {
    weft_sequence *sequence = job->files->sequence;
    if (goes_on(job))
        return job->plan == sequence->plan
                   ? WEFT_OK
                   : weft_fail(error, WEFT_ERROR_FORMAT,
                               "%s holds other pictures than the sequence's first outputs did", job->outputs[0].path);
    weft_status status = weft_state_create(job->plan, &sequence->state, error);
    if (status == WEFT_OK)
        sequence->plan = job->plan;
    return status;
}

static weft_status prepare(struct weft_files_job *job, weft_error *error) {
    bool reduced = false;
    weft_status status = goes_on(job) ? take_plan(job, error) : make_plan(job, NULL, error);
    if (status == WEFT_OK && !job->files->sequence)
        status = weft_files_reduce_inputs(job, &reduced, error);
    if (status == WEFT_OK && reduced)
        status = make_plan(job, NULL, error);
    if (status != WEFT_OK)
        return status;
    size_t count = (size_t)weft_plan_output_count(job->plan);
    job->outputs = weft_allocate(count, sizeof *job->outputs);
    job->run_outputs = weft_allocate(count, sizeof *job->run_outputs);
    if (!job->outputs || !job->run_outputs)
        return weft_fail_memory(error, count * sizeof *job->outputs, "outputs");
    job->output_count = (int32_t)count;
    status = weft_files_match_outputs(job, error);
    if (status == WEFT_OK)
        status = plan_for_files(job, error);
    if (status == WEFT_OK)
        status = weft_files_check_replaced(job, error);
    if (status == WEFT_OK && job->files->sequence)
        status = begin_sequence(job, error);
    if (status == WEFT_OK && job->files->planned)
        status = job->files->planned(job->files->user, job->plan, error);
    return status;
}

static bool filtering(void *user, double done) {
    const struct weft_files_job *job = user;
    return weft_files_progress(job, WEFT_FILES_FILTERING, done, NULL) == WEFT_OK;
}

static weft_status execute(struct weft_files_job *job, weft_error *error) {
    bool stream = weft_plan_can_stream(job->plan);
    weft_status status = weft_files_open_outputs(job, stream, error);
    if (status == WEFT_OK && stream)
        status = weft_files_stream_inputs(job, error);
    else if (status == WEFT_OK)
        status = weft_files_read_inputs(job, error);
    if (status == WEFT_OK && !stream)
        status = weft_files_finish_inputs(job, error);
    if (status != WEFT_OK)
        return status;
    weft_run run = {.inputs = job->run_inputs,
                    .input_count = job->input_count,
                    .outputs = job->run_outputs,
                    .output_count = job->output_count,
                    .state = job->files->sequence ? job->files->sequence->state : NULL,
                    .progress = filtering,
                    .progress_user = job};
    status = weft_files_progress(job, WEFT_FILES_FILTERING, 0, error);
    if (status == WEFT_OK)
        status = weft_plan_run(job->plan, &run, error);
    if (status == WEFT_OK)
        status = weft_files_progress(job, WEFT_FILES_FILTERING, 1, error);
    if (status == WEFT_OK && stream)
        status = weft_files_finish_inputs(job, error);
    if (status == WEFT_OK)
        status = weft_files_write_outputs(job, error);
    return status == WEFT_OK ? weft_files_finish_outputs(job, error) : status;
}

static weft_status check(const weft_files *files, weft_error *error) {
    if (!files || files->input_count < 0 || files->output_count < 0 || (files->input_count > 0 && !files->inputs) ||
        (files->output_count > 0 && !files->outputs))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_filter_files needs inputs and outputs");
    if (!files->text == !files->graph)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_filter_files needs a graph, or its text");
    for (int32_t i = 0; i < files->input_count; i++)
        if (!files->inputs[i].path)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "input %d has no path", (int)i);
    for (int32_t i = 0; i < files->output_count; i++)
        if (!files->outputs[i].path)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d has no path", (int)i);
    return WEFT_OK;
}

static weft_status begin(struct weft_files_job *job, weft_error *error) {
    const weft_files *files = job->files;
    size_t count = (size_t)files->input_count;
    job->inputs = weft_allocate(count, sizeof *job->inputs);
    job->infos = weft_allocate(count, sizeof *job->infos);
    job->run_inputs = weft_allocate(count, sizeof *job->run_inputs);
    if (!job->inputs || !job->infos || !job->run_inputs)
        return weft_fail_memory(error, count * sizeof *job->run_inputs, "inputs");
    job->input_count = files->input_count;
    weft_status status = WEFT_OK;
    if (files->text)
        status = weft_graph_parse(files->text, strlen(files->text), &job->parsed, error);
    job->graph = job->asked = files->graph ? files->graph : job->parsed;
    if (status == WEFT_OK && job->asked->profile_count > 0) {
        status = weft_graph_copy(job->asked, &job->bare, error);
        job->graph = job->bare;
    }
    job->device = files->device;
    if (status == WEFT_OK)
        status = weft_files_open_inputs(job, error);
    if (status == WEFT_OK && !job->device) {
        status = weft_device_open("auto", &(weft_device_options){.log = files->log}, &job->opened, error);
        job->device = job->opened;
    }
    return status;
}

static void end(struct weft_files_job *job) {
    for (int32_t i = 0; i < job->output_count; i++) {
        weft_background_close(&job->outputs[i].background);
        weft_writer_abandon(&job->outputs[i].writer);
        weft_free(job->outputs[i].row);
        weft_free(job->run_outputs[i].image.data);
    }
    for (int32_t i = 0; i < job->input_count; i++) {
        weft_ahead_close(&job->inputs[i].ahead);
        weft_reader_close(&job->inputs[i].reader);
        weft_free(job->run_inputs[i].image.data);
    }
    if (!goes_on(job) || job->plan != job->files->sequence->plan)
        weft_plan_destroy(&job->plan);
    weft_device_close(&job->opened);
    weft_graph_destroy(&job->parsed);
    weft_graph_destroy(&job->fixed);
    weft_graph_destroy(&job->bare);
    weft_free(job->inputs);
    weft_free(job->infos);
    weft_free(job->run_inputs);
    weft_free(job->outputs);
    weft_free(job->run_outputs);
}

weft_status weft_sequence_create(weft_sequence **sequence, weft_error *error) {
    if (!sequence)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_sequence_create needs a place for the sequence");
    *sequence = weft_allocate(1, sizeof **sequence);
    return *sequence ? WEFT_OK : weft_fail_memory(error, sizeof **sequence, "a sequence");
}

void weft_sequence_destroy(weft_sequence **sequence) {
    if (!sequence || !*sequence)
        return;
    weft_state_destroy(&(*sequence)->state);
    weft_plan_destroy(&(*sequence)->plan);
    weft_free(*sequence);
    *sequence = NULL;
}

weft_status weft_filter_files(const weft_files *files, weft_error *error) {
    struct weft_files_job job = {.files = files};
    weft_status status = check(files, error);
    if (status != WEFT_OK)
        return status;
    status = begin(&job, error);
    if (status == WEFT_OK)
        status = prepare(&job, error);
    if (status == WEFT_OK)
        status = execute(&job, error);
    if (status == WEFT_OK)
        weft_files_tell_times(&job);
    end(&job);
    return status;
}
