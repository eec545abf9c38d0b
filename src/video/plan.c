/* SPDX-License-Identifier: MIT
 * The plan between what weft_filter_video reads and writes. A first plan tells what the caller's graph makes, the encoders tell
 * what they take, and a second plan makes that. */
#include <string.h>
#include "base/status.h"
#include "video/job.h"

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
        status = weft_video_name_targets(job, error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        status = weft_plan_output_info(job->plan, i, &made[i], error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        if (!job->targets[i].values)
            status = weft_video_open_target(job, &job->targets[i], &made[i], error);
    if (status == WEFT_OK)
        status = make_plan(job, made, error);
    for (int i = 0; i < job->target_count && status == WEFT_OK; i++)
        status = weft_video_check_planes(job, &job->targets[i], error);
    if (status == WEFT_OK)
        status = weft_parameters_create(job->plan, &job->parameters, error);
    if (status == WEFT_OK && weft_plan_has_memory(job->plan))
        status = weft_state_create(job->plan, &job->state, error);
    return status;
}
