/* SPDX-License-Identifier: MIT
 * What weft_filter_video writes: videos, pictures and numbers; and the end of a job. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/job.h"

static bool is_video(const weft_video_output *output) {
    return weft_video_name(output->path) || !strcmp(output->path, "-") || weft_video_settings(output->writing.settings);
}

weft_status weft_video_name_targets(struct weft_video_job *job, weft_error *error) {
    int32_t pictures = 0;
    for (int i = 0; i < job->target_count; i++) {
        struct weft_target_end *target = &job->targets[i];
        target->values = weft_plan_output_is_values(job->plan, i);
        if (job->video->planes == WEFT_PLANES_EACH && target->values)
            return weft_fail(error, WEFT_ERROR_FORMAT, "a graph on every plane by itself makes pictures, not numbers");
        if (target->values && !job->video->numbers)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "output %d of the graph is numbers, which nobody asked for",
                             i + 1);
        if (!target->values && pictures < job->video->output_count)
            target->given = &job->video->outputs[pictures];
        pictures += !target->values;
        job->videos = job->videos || target->values ||
                      (target->given && is_video(target->given));
    }
    if (pictures != job->video->output_count)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the graph makes %d picture%s, and there %s %d name%s for them",
                         (int)pictures, pictures == 1 ? "" : "s", job->video->output_count == 1 ? "is" : "are",
                         (int)job->video->output_count, job->video->output_count == 1 ? "" : "s");
    return WEFT_OK;
}

/* What a writer is asked for: the input's format where it has the graph's size. */
static weft_video_info wanted_of(const struct weft_video_job *job, const weft_image_info *made) {
    weft_video_info wanted = job->shape;
    wanted.width = made->width, wanted.height = made->height;
    if (made->height != job->shape.height)
        wanted.fields = WEFT_FIELDS_NONE; /* rows of both went into each other */
    int32_t colors = made->format.channels - (made->alpha != WEFT_ALPHA_NONE);
    if (job->leader < 0 || (wanted.format.kind == WEFT_VIDEO_GRAY && colors > 1)) {
        wanted.format = (weft_video_format){.kind = colors == 1 ? WEFT_VIDEO_GRAY : WEFT_VIDEO_RGB,
                                            .plane_count = 1,
                                            .bits = made->format.type == WEFT_U8 ? 8 : 16,
                                            .chroma_x = 1,
                                            .chroma_y = 1,
                                            .full_range = true};
    }
    if (job->video->planes == WEFT_PLANES_COLOR)
        wanted.format.alpha = made->alpha != WEFT_ALPHA_NONE;
    wanted.format.planes[0] = *made;
    return wanted;
}

weft_status weft_video_open_target(struct weft_video_job *job, struct weft_target_end *target,
                                   const weft_image_info *made, weft_error *error) {
    const weft_video_output *given = target->given;
    if (!is_video(given)) {
        target->still = true;
        target->picture = (weft_writer_options){.settings = given->writing.settings};
        weft_status status = weft_writer_accepts(given->path, &target->picture, made, &target->image.info, error);
        if (status == WEFT_ERROR_FILE && job->leader >= 0)
            return weft_fail(
                error, status,
                "'%.200s' has the extension of no picture and no video; videos are .mp4, .mkv, .mov, .webm, .gif and others, "
                "and [container=matroska] makes one of any name",
                given->path);
        if (status != WEFT_OK)
            return status;
        if (target->image.info.format.channels != made->format.channels || target->image.info.alpha != made->alpha)
            return weft_fail(error, WEFT_ERROR_FORMAT, "'%s' cannot hold the graph's channels as they are",
                             given->path);
        return WEFT_OK;
    }
    weft_video_info wanted = wanted_of(job, made);
    weft_video_writer_options options = given->writing;
    options.carry = job->leader >= 0 ? job->sources[job->leader].reader : NULL;
    options.log = job->video->log;
    weft_status status = weft_video_writer_open(given->path, &options, &wanted, &target->writer, error);
    if (status != WEFT_OK)
        return status;
    target->end.format = &weft_video_writer_info(target->writer)->format;
    if (job->video->planes != WEFT_PLANES_COLOR) {
        const weft_video_format *from = job->sources[job->leader].end.format, *to = target->end.format;
        if (job->video->planes == WEFT_PLANES_LUMA &&
            (made->width != job->shape.width || made->height != job->shape.height))
            return weft_fail(error, WEFT_ERROR_FORMAT,
                             "the graph changes the size of luma alone, and chroma stays as it is");
        if (from->kind != to->kind || from->plane_count != to->plane_count || from->bits != to->bits ||
            from->chroma_x != to->chroma_x || from->chroma_y != to->chroma_y)
            return weft_fail(
                error, WEFT_ERROR_FORMAT,
                "'%s' gets other planes than '%s' has, and they are to stay as they are: [pixels=...] says which",
                given->path, job->sources[job->leader].given->path);
    }
    return WEFT_OK;
}

weft_status weft_video_check_planes(const struct weft_video_job *job, const struct weft_target_end *target,
                                    weft_error *error) {
    weft_status status = WEFT_OK;
    for (int k = 0; target->writer && k < target->end.count && status == WEFT_OK; k++) {
        const weft_image_info *wanted = &target->end.format->planes[k];
        weft_image_info made;
        status = weft_plan_output_info(job->plan, target->end.first + k, &made, error);
        if (status == WEFT_OK && (made.width != wanted->width || made.height != wanted->height ||
                                  made.format.channels != wanted->format.channels))
            status = weft_fail(
                error, WEFT_ERROR_FORMAT,
                "plane %d of '%s' comes out as %lldx%lld with %d channels, and has to be %lldx%lld with %d", k + 1,
                target->given->path, (long long)made.width, (long long)made.height, (int)made.format.channels,
                (long long)wanted->width, (long long)wanted->height, (int)wanted->format.channels);
    }
    return status;
}

weft_status weft_video_open_targets(struct weft_video_job *job, weft_error *error) {
    size_t inputs = (size_t)weft_graph_inputs(job->graph), outputs = (size_t)weft_graph_outputs(job->graph);
    job->run_inputs = weft_allocate(inputs + 1, sizeof *job->run_inputs);
    job->run_outputs = weft_allocate(outputs + 1, sizeof *job->run_outputs);
    job->workspace_size = weft_plan_workspace_size(job->plan);
    job->workspace = weft_allocate_aligned(job->workspace_size + 64);
    if (!job->run_inputs || !job->run_outputs || !job->workspace)
        return weft_fail_memory(error, job->workspace_size, "the run of a plan");
    for (int i = 0; i < job->source_count; i++)
        if (!job->sources[i].reader)
            job->run_inputs[job->sources[i].end.first].image = job->sources[i].still;
    for (int i = 0; i < job->target_count; i++) {
        struct weft_target_end *target = &job->targets[i];
        size_t size;
        if (target->writer)
            continue;
        weft_status status = weft_plan_output_info(job->plan, target->end.first, &target->image.info, error);
        if (status == WEFT_OK)
            status = weft_image_size(&target->image.info, &size, error);
        if (status != WEFT_OK)
            return status;
        target->image.data = weft_allocate_aligned(size);
        target->image.stride = (ptrdiff_t)(size / (size_t)target->image.info.height);
        if (!target->image.data)
            return weft_fail_memory(error, size, "a picture");
        job->run_outputs[target->end.first].image = target->image;
    }
    return WEFT_OK;
}

void weft_video_close_job(struct weft_video_job *job) {
    for (int i = 0; i < job->target_count; i++) {
        weft_video_writer_abandon(&job->targets[i].writer);
        weft_free(job->targets[i].image.data);
    }
    for (int i = 0; i < job->source_count; i++) {
        weft_video_reader_close(&job->sources[i].reader);
        weft_free(job->sources[i].still.data);
    }
    weft_state_destroy(&job->state);
    weft_parameters_destroy(&job->parameters);
    weft_plan_destroy(&job->plan);
    weft_graph_destroy(&job->graph);
    weft_device_close(&job->opened);
    weft_free(job->map);
    weft_free(job->curves);
    weft_free(job->run_inputs);
    weft_free(job->run_outputs);
    weft_free(job->workspace);
}
