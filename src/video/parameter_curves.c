/* SPDX-License-Identifier: MIT
 * Parameters that change with time: those that a plan has as numbers are set between its runs, those that decide it
 * take a new plan, which is made when the value is another. */
#include "video/parameter_curves.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "graph/graph.h"

static weft_status open_curve(struct weft_video_job *job, const weft_video_curve *curve, struct weft_bent *bent,
                              weft_error *error) {
    const struct weft_graph *graph = job->video->graph;
    const weft_filter_info *named = curve->filter ? weft_filter_find(curve->filter) : NULL;
    int32_t left = curve->which;
    if (job->video->planes == WEFT_PLANES_EACH)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "curves are of graphs on colors or luma, not on every plane by itself");
    if (!curve->parameter || !curve->seconds || !curve->values || curve->count < 1)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a curve needs a parameter and points");
    bent->node = -1;
    for (int32_t n = 0; named && n < graph->count && bent->node < 0; n++)
        if (graph->nodes[n].filter && &graph->nodes[n].filter->info == named && left-- == 0)
            bent->node = n;
    if (bent->node < 0)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "the graph has no filter '%.60s' whose parameter could follow a curve",
                         curve->filter ? curve->filter : "");
    const struct weft_filter *filter = graph->nodes[bent->node].filter;
    int32_t parameter = weft_parameter_find(filter, curve->parameter, strlen(curve->parameter));
    if (parameter < 0)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s has no parameter '%.60s' that could follow a curve",
                         filter->info.name, curve->parameter);
    for (int32_t i = 0; i < curve->count; i++)
        if (!isfinite(curve->seconds[i]) || !isfinite(curve->values[i]) ||
            (i > 0 && curve->seconds[i] <= curve->seconds[i - 1]))
            return weft_fail(error, WEFT_ERROR_PARAMETER, "the times of the curve of %s.%s do not grow",
                             filter->info.name, curve->parameter);
    bent->curve = curve;
    bent->plans = !filter->parameters[parameter].info.dynamic;
    bent->whole = filter->parameters[parameter].info.type != WEFT_PARAMETER_FLOAT;
    bent->value = NAN;
    if (bent->plans && job->state)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s.%s decides the plan, and the graph remembers frames, which a new plan would forget",
                         filter->info.name, curve->parameter);
    return WEFT_OK;
}

weft_status weft_video_open_curves(struct weft_video_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    job->curves = weft_allocate((size_t)job->video->curve_count + 1, sizeof *job->curves);
    if (!job->curves)
        return weft_fail_memory(error, sizeof *job->curves, "the curves of a video");
    for (int32_t i = 0; i < job->video->curve_count && status == WEFT_OK; i++)
        status = open_curve(job, &job->video->curves[i], &job->curves[i], error);
    return status;
}

static double value_at(const struct weft_bent *bent, double seconds) {
    const weft_video_curve *curve = bent->curve;
    int32_t i = 0;
    while (i < curve->count && curve->seconds[i] <= seconds)
        i++;
    if (i == 0 || i == curve->count)
        return curve->values[i == 0 ? 0 : i - 1];
    double share = (seconds - curve->seconds[i - 1]) / (curve->seconds[i] - curve->seconds[i - 1]);
    double value = curve->values[i - 1] + share * (curve->values[i] - curve->values[i - 1]);
    return bent->whole ? floor(value + 0.5) : value;
}

/* A plan of the graph as it is now, in place of the one before. */
static weft_status plan_again(struct weft_video_job *job, weft_error *error) {
    weft_parameters_destroy(&job->parameters);
    weft_status status = weft_video_plan_again(job, error);
    if (status == WEFT_OK)
        status = weft_parameters_create(job->plan, &job->parameters, error);
    size_t size = status == WEFT_OK ? weft_plan_workspace_size(job->plan) : 0;
    if (size > job->workspace_size) {
        weft_free(job->workspace);
        job->workspace = weft_allocate_aligned(size + 64);
        job->workspace_size = job->workspace ? size : 0;
        if (!job->workspace)
            return weft_fail_memory(error, size, "the run of a plan");
    }
    for (int32_t i = 0; i < job->video->curve_count; i++)
        if (!job->curves[i].plans)
            job->curves[i].value = NAN; /* the new plan has the graph's */
    return status;
}

weft_status weft_video_follow_curves(struct weft_video_job *job, double seconds, weft_error *error) {
    weft_status status = WEFT_OK;
    bool again = false;
    for (int32_t i = 0; i < job->video->curve_count && status == WEFT_OK; i++) {
        struct weft_bent *bent = &job->curves[i];
        double value = value_at(bent, seconds);
        if (!bent->plans || value == bent->value)
            continue;
        bent->value = value;
        again = true;
        status = weft_graph_set(job->graph, job->map[bent->node], bent->curve->parameter, &value, 1, error);
    }
    if (status == WEFT_OK && again)
        status = plan_again(job, error);
    for (int32_t i = 0; i < job->video->curve_count && status == WEFT_OK; i++) {
        struct weft_bent *bent = &job->curves[i];
        double value = value_at(bent, seconds);
        if (bent->plans || value == bent->value)
            continue;
        bent->value = value;
        status = weft_parameters_set(job->parameters, job->map[bent->node], bent->curve->parameter, &value, 1, error);
    }
    return status;
}
