/* SPDX-License-Identifier: MIT
 * weft_filter_video: three threads, one that reads, the caller's, which filters, and one that writes; between them some
 * frames. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/parameter_curves.h"
#include "video/job.h"

/* Reads the next frame of every video; false at the end of the first that ends. */
static bool read_set(struct weft_video_job *job, struct weft_frame_set *set) {
    bool more = true;
    for (int i = 0; i < job->source_count && more; i++) {
        if (!job->sources[i].reader)
            continue;
        weft_error error;
        weft_status status = weft_video_reader_read(job->sources[i].reader, &set->frames[i], &error);
        if (status != WEFT_OK && job->reading == WEFT_OK) {
            job->reading = status;
            job->reading_error = error;
        }
        more = set->frames[i] != NULL;
    }
    return more;
}

static void *read_all(void *user) {
    struct weft_video_job *job = user;
    struct weft_frame_set set = {.frames = {NULL}};
    while (read_set(job, &set) && weft_frames_put(&job->read, &set))
        continue;
    weft_frames_free(&set);
    weft_frames_end(&job->read);
    return NULL;
}

static void *write_all(void *user) {
    struct weft_video_job *job = user;
    struct weft_frame_set set = {.frames = {NULL}};
    while (weft_frames_take(&job->written, &set)) {
        int64_t bytes = 0;
        for (int i = 0; i < job->target_count; i++) {
            struct weft_target_end *target = &job->targets[i];
            if (set.frames[i] && job->writing == WEFT_OK)
                job->writing = weft_video_writer_write(target->writer, &set.frames[i], &job->writing_error);
            bytes += weft_video_writer_size(target->writer);
        }
        weft_frames_free(&set);
        atomic_store(&job->bytes, bytes);
        if (job->writing != WEFT_OK)
            weft_frames_stop(&job->written);
    }
    return NULL;
}

static int64_t rescale(int64_t time, const weft_video_info *from, const weft_video_info *to) {
    /* floor(time * (from step) / (to step) + 1/2) in long double, which holds 64 bits */
    long double steps = (long double)time * (long double)(from->time_numerator * to->time_denominator) /
                        (long double)(from->time_denominator * to->time_numerator);
    return (int64_t)(steps >= 0 ? steps + 0.5L : steps - 0.5L);
}

/* Of pages and pictures that stand still. */
static int64_t steps_of(const struct weft_video_job *job, double seconds) {
    return (int64_t)(seconds * (double)job->shape.time_denominator / (double)job->shape.time_numerator + 0.5);
}

/* Planes that a graph on luma alone does not see. `shift` brings samples in the upper bits down. */
static void copy_chroma(const weft_video_frame *from, weft_video_frame *to, int shift) {
    for (int i = 1; i < WEFT_VIDEO_PLANES && to->planes[i].data && from->planes[i].data; i++) {
        const weft_image_info *info = &to->planes[i].info;
        size_t row = (size_t)info->width * weft_format_size(info->format);
        for (int64_t y = 0; y < info->height; y++) {
            unsigned char *target = (unsigned char *)to->planes[i].data + y * to->planes[i].stride;
            memcpy(target, (const unsigned char *)from->planes[i].data + y * from->planes[i].stride, row);
            for (int64_t x = 0; shift > 0 && x < info->width * info->format.channels; x++)
                ((uint16_t *)(void *)target)[x] = (uint16_t)(((uint16_t *)(void *)target)[x] >> shift);
        }
    }
}

/* The frames that the targets' writers give, as images of the run. */
static weft_status take_outputs(struct weft_video_job *job, struct weft_frame_set *set, const weft_video_frame *lead,
                                int64_t time, int64_t duration, weft_error *error) {
    for (int i = 0; i < job->target_count; i++) {
        struct weft_target_end *target = &job->targets[i];
        if (!target->writer)
            continue;
        weft_status status = weft_video_writer_frame(target->writer, &set->frames[i], error);
        if (status != WEFT_OK)
            return status;
        weft_video_frame *frame = set->frames[i];
        const weft_video_info *info = weft_video_writer_info(target->writer);
        frame->time = rescale(time, &job->shape, info);
        frame->duration = rescale(duration, &job->shape, info);
        frame->fields = lead && info->fields != WEFT_FIELDS_NONE ? lead->fields : WEFT_FIELDS_NONE;
        for (int k = 0; k < target->end.count; k++)
            job->run_outputs[target->end.first + k].image = frame->planes[k];
        if (job->video->planes == WEFT_PLANES_LUMA && lead)
            copy_chroma(lead, frame, job->shape.format.high && !info->format.high ? 16 - info->format.bits : 0);
    }
    return WEFT_OK;
}

static weft_status give_numbers(struct weft_video_job *job, double seconds, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        if (job->targets[i].values)
            status = job->video->numbers(job->video->user, i, job->frames, seconds, &job->targets[i].image.info,
                                         job->targets[i].image.data, error);
    return status;
}

/* One frame through the plan. */
static weft_status filter(struct weft_video_job *job, const struct weft_frame_set *in, struct weft_frame_set *out,
                          weft_error *error) {
    const weft_video_frame *lead = job->leader >= 0 ? in->frames[job->leader] : NULL;
    int64_t time = lead ? lead->time : steps_of(job, job->still_begins);
    int64_t duration = lead ? lead->duration : steps_of(job, job->still_begins + job->still_lasts) - time;
    double seconds = (double)time * (double)job->shape.time_numerator / (double)job->shape.time_denominator;
    weft_status status = WEFT_OK;
    for (int i = 0; i < job->source_count; i++)
        for (int k = 0; in->frames[i] && k < job->sources[i].end.count; k++)
            job->run_inputs[job->sources[i].end.first + k].image = in->frames[i]->planes[k];
    status = take_outputs(job, out, lead, time, duration, error);
    if (status == WEFT_OK)
        status = weft_video_follow_curves(job, seconds, error);
    if (status == WEFT_OK && job->video->frame)
        status = job->video->frame(job->video->user, seconds, job->parameters, job->map, error);
    weft_run run = {.inputs = job->run_inputs,
                    .input_count = weft_graph_inputs(job->graph),
                    .outputs = job->run_outputs,
                    .output_count = weft_graph_outputs(job->graph),
                    .parameters = job->parameters,
                    .state = job->state,
                    .workspace = job->workspace,
                    .workspace_size = job->workspace_size};
    if (status == WEFT_OK)
        status = weft_plan_run(job->plan, &run, error);
    if (status == WEFT_OK)
        status = give_numbers(job, seconds, error);
    for (int i = 0; i < job->target_count && status == WEFT_OK && job->frames == 0; i++)
        if (job->targets[i].still)
            status = weft_video_write_still(&job->targets[i], error);
    return status;
}

static weft_status tell_progress(struct weft_video_job *job, weft_error *error) {
    weft_video_progress progress = {
        .frames = job->frames, .expected = job->videos ? job->shape.frames : 1, .bytes = atomic_load(&job->bytes)};
    if (job->shape.rate_numerator > 0)
        progress.seconds =
            (double)job->frames * (double)job->shape.rate_denominator / (double)job->shape.rate_numerator;
    if (job->video->progress && !job->video->progress(job->video->user, &progress))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "the caller stopped the work");
    return WEFT_OK;
}

static weft_status filter_all(struct weft_video_job *job, weft_error *error) {
    struct weft_frame_set in = {.frames = {NULL}}, out = {.frames = {NULL}};
    weft_status status = WEFT_OK;
    while (status == WEFT_OK &&
           (job->leader >= 0 ? weft_frames_take(&job->read, &in) : job->frames < job->still_frames)) {
        if (job->leader < 0 && weft_video_turn_pages(job, &job->reading_error) != WEFT_OK) {
            job->reading = job->reading_error.status; /* those before are kept */
            break;
        }
        status = filter(job, &in, &out, error);
        weft_frames_free(&in);
        if (status != WEFT_OK || !weft_frames_put(&job->written, &out))
            break;
        job->frames++;
        status = tell_progress(job, error);
        if (!job->videos)
            break; /* the first frame was all */
    }
    weft_frames_free(&in);
    weft_frames_free(&out);
    return status;
}

/* Reads, filters and writes at the same time. */
static weft_status work(struct weft_video_job *job, weft_error *error) {
    pthread_t reader, writer;
    weft_status status = WEFT_OK;
    if (!weft_frames_open(&job->read))
        return weft_fail_memory(error, sizeof job->read, "a queue");
    if (!weft_frames_open(&job->written)) {
        weft_frames_close(&job->read);
        return weft_fail_memory(error, sizeof job->written, "a queue");
    }
    bool reads = job->leader >= 0 && pthread_create(&reader, NULL, read_all, job) == 0;
    bool writes = pthread_create(&writer, NULL, write_all, job) == 0;
    if (writes && (reads || job->leader < 0))
        status = filter_all(job, error);
    else
        status = weft_fail(error, WEFT_ERROR_MEMORY, "the system gives no more threads");
    weft_frames_stop(&job->read);
    weft_frames_end(&job->written);
    if (reads)
        pthread_join(reader, NULL);
    if (writes)
        pthread_join(writer, NULL);
    weft_frames_close(&job->read);
    weft_frames_close(&job->written);
    if (job->writing != WEFT_OK && (status == WEFT_OK || status == WEFT_ERROR_CANCELLED)) {
        status = job->writing;
        if (error)
            *error = job->writing_error;
    }
    return status;
}

/* Ends the files with what there is. A broken input and a caller who stops are told once that is done. */
static weft_status finish(struct weft_video_job *job, weft_status status, weft_error *error) {
    bool stopped = status == WEFT_ERROR_CANCELLED;
    if ((status != WEFT_OK && !stopped) || job->frames == 0)
        return status != WEFT_OK         ? status
               : job->reading != WEFT_OK ? weft_fail(error, job->reading, "%s", job->reading_error.message)
                                         : weft_fail(error, WEFT_ERROR_FILE, "there were no frames");
    const char *name = NULL;
    for (int i = 0; i < job->target_count; i++) {
        if (!job->targets[i].writer)
            continue;
        name = job->targets[i].given->path;
        weft_status ended = weft_video_writer_finish(&job->targets[i].writer, error);
        if (ended != WEFT_OK)
            return ended;
    }
    if (stopped)
        return weft_fail(error, WEFT_ERROR_CANCELLED,
                         name ? "stopped after %lld frames, which are in '%.200s'" : "stopped after %lld frames",
                         (long long)job->frames, name);
    if (job->reading != WEFT_OK && job->videos)
        return weft_fail(error, job->reading, name ? "%.300s; what came before is in '%.150s'" : "%.300s",
                         job->reading_error.message, name);
    return WEFT_OK;
}

static weft_status check(const weft_video *video, weft_error *error) {
    if (!video || !video->graph || video->input_count < 0 || video->output_count < 0 ||
        (video->input_count > 0 && !video->inputs) || (video->output_count > 0 && !video->outputs) ||
        video->curve_count < 0 || (video->curve_count > 0 && !video->curves))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_filter_video needs a graph, inputs and outputs");
    if (video->input_count > WEFT_VIDEO_ENDS)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a graph of videos has at most %d inputs", WEFT_VIDEO_ENDS);
    if (video->input_count != weft_graph_inputs(video->graph))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the graph takes %d inputs, and %d are given",
                         (int)weft_graph_inputs(video->graph), (int)video->input_count);
    if (video->chroma && (video->planes != WEFT_PLANES_EACH ||
                          weft_graph_inputs(video->chroma) != weft_graph_inputs(video->graph) ||
                          weft_graph_outputs(video->chroma) != weft_graph_outputs(video->graph)))
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "a graph of chroma goes with one of luma that has as many inputs and outputs, where every plane is "
                         "filtered by itself");
    for (int i = 0; i < video->input_count; i++)
        if (!video->inputs[i].path)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "input %d has no path", i);
    for (int i = 0; i < video->output_count; i++)
        if (!video->outputs[i].path)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d has no path", i);
    return WEFT_OK;
}

weft_status weft_filter_video(const weft_video *video, weft_error *error) {
    weft_status status = check(video, error);
    if (status != WEFT_OK)
        return status;
    struct weft_video_job *job = weft_allocate(1, sizeof *job);
    if (!job)
        return weft_fail_memory(error, sizeof *job, "a video");
    job->video = video;
    job->device = video->device;
    if (!job->device) {
        status = weft_device_open("auto", &(weft_device_options){.log = video->log}, &job->opened, error);
        job->device = job->opened;
    }
    if (status == WEFT_OK)
        status = weft_video_open_sources(job, error);
    if (status == WEFT_OK)
        status = weft_video_plan(job, error);
    if (status == WEFT_OK)
        status = weft_video_open_targets(job, error);
    if (status == WEFT_OK)
        status = weft_video_open_curves(job, error);
    if (status == WEFT_OK && video->planned)
        status = video->planned(video->user, job->plan, error);
    if (status == WEFT_OK)
        status = finish(job, work(job, error), error);
    weft_video_close_job(job);
    weft_free(job);
    return status;
}
