/* SPDX-License-Identifier: MIT
 * The two ends of weft_filter_video: what is read, what is written, and the plan between them. A first plan tells what
 * the caller's graph makes, the encoders tell what they take, and a second plan makes that. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/job.h"

enum { STILL_RATE = 25 }; /* frames a second of a picture that is a video */

static weft_status check_rates(const struct weft_video_job *job, int index, weft_error *error) {
    const weft_video_info *first = &job->shape, *other = weft_video_reader_info(job->sources[index].reader);
    if (first->rate_numerator * other->rate_denominator == other->rate_numerator * first->rate_denominator)
        return WEFT_OK;
    return weft_fail(
        error, WEFT_ERROR_FORMAT,
        "'%s' has %lld/%lld frames a second and '%s' has %lld/%lld: videos that meet in a graph need one rate",
        job->sources[job->leader].given->path, (long long)first->rate_numerator, (long long)first->rate_denominator,
        job->sources[index].given->path, (long long)other->rate_numerator, (long long)other->rate_denominator);
}

static weft_status open_video(struct weft_video_job *job, struct weft_source_end *source, weft_error *error) {
    const weft_video_input *given = source->given;
    weft_status status = weft_video_reader_open(given->path, &given->reading, &source->reader, error);
    if (status != WEFT_OK)
        return status;
    source->end.format = &weft_video_reader_info(source->reader)->format;
    if (job->video->planes != WEFT_PLANES_COLOR && source->end.format->kind == WEFT_VIDEO_RGB)
        return weft_fail(error, WEFT_ERROR_FORMAT, "'%s' is not YUV: its planes are red, green and blue",
                         given->path);
    int index = (int)(source - job->sources);
    if (job->leader >= 0)
        return check_rates(job, index, error);
    job->leader = index;
    job->shape = *weft_video_reader_info(source->reader);
    return WEFT_OK;
}

/* A file of several pictures by itself is a video of them. Those of one format have numbers, and those of PNM, one
 * behind the other, FFmpeg reads. */
static weft_status open_pages(struct weft_video_job *job, struct weft_source_end *source, int64_t pictures,
                              weft_error *error) {
    const weft_video_reader_options *reading = &source->given->reading;
    weft_reader *reader = NULL;
    weft_status status = weft_reader_open(source->given->path, &(weft_reader_options){.settings = "page=2"}, &reader, NULL);
    weft_reader_close(&reader);
    if (status == WEFT_ERROR_PARAMETER && weft_video_available(NULL, 0))
        return open_video(job, source, error);
    if (status != WEFT_OK)
        return WEFT_OK; /* it stands still */
    int64_t end = reading->to > 0 && reading->to * STILL_RATE < (double)pictures ? (int64_t)(reading->to * STILL_RATE + 0.5)
                                                                               : pictures;
    source->pages = pictures;
    job->first_page = reading->from * STILL_RATE < (double)pictures ? (int64_t)(reading->from * STILL_RATE + 0.5) : pictures;
    job->still_frames = end - job->first_page;
    if (reading->frames > 0 && reading->frames < job->still_frames)
        job->still_frames = reading->frames;
    return job->still_frames > 0 ? WEFT_OK
                                 : weft_fail(error, WEFT_ERROR_FILE, "'%.200s' has no pages at these times", source->given->path);
}

static weft_status open_source(struct weft_video_job *job, int index, weft_error *error) {
    struct weft_source_end *source = &job->sources[index];
    const weft_video_input *given = source->given;
    if (!weft_video_name(given->path) && !given->reading.raw && strcmp(given->path, "-") != 0) {
        int64_t pictures = 1;
        weft_status status = weft_video_read_still(given->path, 0, &source->still, &source->picture, &pictures, error);
        if (status == WEFT_OK && pictures > 1 && given->loop <= 0 && job->source_count == 1)
            return open_pages(job, source, pictures, error);
        if (status == WEFT_OK && given->loop > 0 && job->leader < 0 && !job->still_frames) {
            job->still_frames = (int64_t)(given->loop * STILL_RATE + 0.5);
            job->still_frames = job->still_frames > 0 ? job->still_frames : 1;
        }
        return status;
    }
    return open_video(job, source, error);
}

weft_status weft_video_open_sources(struct weft_video_job *job, weft_error *error) {
    const weft_video *video = job->video;
    weft_status status = WEFT_OK;
    job->leader = -1;
    job->source_count = video->input_count;
    for (int i = 0; i < video->input_count && status == WEFT_OK; i++) {
        job->sources[i].given = &video->inputs[i];
        status = open_source(job, i, error);
    }
    if (status == WEFT_OK && job->leader < 0) {
        if (!job->still_frames)
            job->still_frames = 1;
        job->shape = (weft_video_info){.time_numerator = 1,
                                       .time_denominator = STILL_RATE,
                                       .rate_numerator = STILL_RATE,
                                       .rate_denominator = 1,
                                       .frames = job->still_frames};
    }
    return status;
}

/* The images that the planes of all inputs are. */
static void list_inputs(const struct weft_video_job *job, weft_image_info *infos) {
    for (int i = 0; i < job->source_count; i++) {
        const struct weft_source_end *source = &job->sources[i];
        for (int k = 0; k < source->end.count; k++)
            infos[source->end.first + k] = source->end.format ? source->end.format->planes[k] : source->picture;
    }
}

static weft_status make_plan(struct weft_video_job *job, const weft_image_info *made, weft_error *error) {
    struct weft_video_end inputs[WEFT_VIDEO_ENDS], outputs[WEFT_VIDEO_ENDS];
    weft_image_info *infos = job->planned;
    weft_type *types = job->types;
    memset(job->types, 0, sizeof job->types);
    for (int i = 0; i < job->source_count; i++)
        inputs[i] = job->sources[i].end;
    for (int i = 0; i < job->target_count; i++)
        outputs[i] = job->targets[i].end;
    weft_plan_destroy(&job->plan);
    weft_graph_destroy(&job->graph);
    weft_free(job->map);
    job->map = NULL;
    weft_status status =
        weft_video_graph(job->video->graph, inputs, outputs, made, job->video->planes, job->video->chroma, &job->graph,
                         &job->map, error);
    if (status != WEFT_OK)
        return status;
    for (int i = 0; i < job->source_count; i++)
        job->sources[i].end = inputs[i];
    for (int i = 0; i < job->target_count; i++) {
        job->targets[i].end = outputs[i];
        for (int k = 0; made && k < outputs[i].count; k++)
            types[outputs[i].first + k] = outputs[i].format       ? outputs[i].format->planes[k].format.type
                                          : job->targets[i].still ? job->targets[i].image.info.format.type
                                                                  : 0;
    }
    list_inputs(job, infos);
    weft_plan_options options = {.inputs = infos,
                                 .input_count = weft_graph_inputs(job->graph),
                                 .output_types = made ? types : NULL,
                                 .output_type_count = made ? weft_graph_outputs(job->graph) : 0};
    return weft_plan_create(job->device, job->graph, &options, &job->plan, error);
}

weft_status weft_video_plan_again(struct weft_video_job *job, weft_error *error) {
    weft_plan_options options = {.inputs = job->planned,
                                 .input_count = weft_graph_inputs(job->graph),
                                 .output_types = job->types,
                                 .output_type_count = weft_graph_outputs(job->graph)};
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(job->device, job->graph, &options, &plan, error);
    for (int i = 0; status == WEFT_OK && i < weft_plan_output_count(plan); i++) {
        weft_image_info was, is;
        status = weft_plan_output_info(job->plan, i, &was, error);
        if (status == WEFT_OK)
            status = weft_plan_output_info(plan, i, &is, error);
        if (status == WEFT_OK && (was.width != is.width || was.height != is.height))
            status =
                weft_fail(error, WEFT_ERROR_FORMAT, "a curve changes the size of the frames, which a video has one of");
    }
    weft_plan_destroy(status == WEFT_OK ? &job->plan : &plan);
    if (status == WEFT_OK)
        job->plan = plan;
    return status;
}

static bool is_video(const weft_video_output *output) {
    return weft_video_name(output->path) || !strcmp(output->path, "-") || weft_video_settings(output->writing.settings);
}

/* Which outputs are numbers, and which names the others have. */
static weft_status name_targets(struct weft_video_job *job, weft_error *error) {
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

static weft_status open_target(struct weft_video_job *job, struct weft_target_end *target, const weft_image_info *made,
                               weft_error *error) {
    const weft_video_output *given = target->given;
    if (!is_video(given)) {
        target->still = true;
        target->picture = (weft_writer_options){.settings = given->writing.settings};
        weft_status status = weft_writer_accepts(given->path, &target->picture, made, &target->image.info, error);
        if (status == WEFT_ERROR_FILE && job->leader >= 0)
            return weft_fail(error, status,
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

/* Planes that went through a graph by themselves may have come out in any size. */
static weft_status check_planes(const struct weft_video_job *job, const struct weft_target_end *target,
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

weft_status weft_video_plan(struct weft_video_job *job, weft_error *error) {
    weft_image_info made[WEFT_VIDEO_ENDS];
    if (job->video->planes != WEFT_PLANES_COLOR && job->leader < 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no video whose planes could be filtered");
    job->target_count = weft_graph_outputs(job->video->graph);
    if (job->target_count > WEFT_VIDEO_ENDS || job->source_count > WEFT_VIDEO_ENDS)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a graph of videos has at most %d inputs and outputs",
                         WEFT_VIDEO_ENDS);
    weft_status status = make_plan(job, NULL, error);
    if (status == WEFT_OK)
        status = name_targets(job, error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        status = weft_plan_output_info(job->plan, i, &made[i], error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        if (!job->targets[i].values)
            status = open_target(job, &job->targets[i], &made[i], error);
    if (status == WEFT_OK)
        status = make_plan(job, made, error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        status = check_planes(job, &job->targets[i], error);
    if (status == WEFT_OK)
        status = weft_parameters_create(job->plan, &job->parameters, error);
    if (status == WEFT_OK && weft_plan_has_memory(job->plan))
        status = weft_state_create(job->plan, &job->state, error);
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
