/* SPDX-License-Identifier: MIT */
#include "job.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_close(struct job *job) {
    for (int32_t i = 0; i < HARNESS_IMAGES; i++)
        picture_destroy(&job->inputs[i]);
    weft_plan_destroy(&job->plan);
}

bool job_open(struct job *job, weft_plan *plan, uint64_t seed) {
    struct chance chance = chance_of(seed, "job", 0);
    weft_error error;
    bool ok = true;
    *job = (struct job){.plan = plan, .outputs = plan ? weft_plan_output_count(plan) : 0};
    if (!plan || job->outputs > HARNESS_IMAGES)
        return false;
    for (int32_t i = 0; i < weft_plan_input_count(plan) && ok; i++) {
        weft_image_info info;
        ok = weft_plan_input_info(plan, i, &info, &error) == WEFT_OK &&
             picture_create(&info, true, &chance, &job->inputs[i]);
        if (ok)
            picture_fill(&job->inputs[i], CONTENT_RANDOM, &chance);
    }
    return ok;
}

void pictures_destroy(struct picture *pictures) {
    for (int32_t i = 0; i < HARNESS_IMAGES; i++)
        picture_destroy(&pictures[i]);
}

/* Streams of a picture's rows; they must be asked for in order. */
struct stream {
    struct picture *picture;
    int64_t next;
};

static weft_status read_rows(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct stream *stream = user;
    const weft_image *image = &stream->picture->image;
    if (y != stream->next || count < 1 || y + count > image->info.height) {
        if (error)
            *error = (weft_error){.status = WEFT_ERROR_INTERNAL, .message = "source rows asked out of order"};
        return WEFT_ERROR_INTERNAL;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)rows + i * stride, (const char *)image->data + (y + i) * image->stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    stream->next += count;
    return WEFT_OK;
}

static weft_status write_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    struct stream *stream = user;
    const weft_image *image = &stream->picture->image;
    if (y != stream->next || count < 1 || y + count > image->info.height) {
        if (error)
            *error = (weft_error){.status = WEFT_ERROR_INTERNAL, .message = "sink rows given out of order"};
        return WEFT_ERROR_INTERNAL;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)image->data + (y + i) * image->stride, (const char *)rows + i * stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    stream->next += count;
    return WEFT_OK;
}

bool job_run(const struct job *job, const struct manner *manner, struct picture *outputs, weft_error *error) {
    weft_run_input inputs[HARNESS_IMAGES] = {0};
    weft_run_output results[HARNESS_IMAGES] = {0};
    struct stream sources[HARNESS_IMAGES], sinks[HARNESS_IMAGES];
    struct chance chance = {.state = 1};
    weft_run run = {.inputs = inputs,
                    .input_count = weft_plan_input_count(job->plan),
                    .outputs = results,
                    .output_count = job->outputs,
                    .parameters = manner->parameters,
                    .workspace_size = weft_plan_workspace_size(job->plan)};
    for (int32_t i = 0; i < HARNESS_IMAGES; i++)
        outputs[i].memory = NULL;
    for (int32_t i = 0; i < run.input_count; i++) {
        sources[i] = (struct stream){(struct picture *)&job->inputs[i], 0};
        if (manner->streamed)
            inputs[i].source = (weft_source){read_rows, &sources[i]};
        else
            inputs[i].image = job->inputs[i].image;
    }
    bool ok = true;
    for (int32_t i = 0; i < run.output_count && ok; i++) {
        weft_image_info info;
        ok = weft_plan_output_info(job->plan, i, &info, error) == WEFT_OK &&
             picture_create(&info, true, &chance, &outputs[i]);
        sinks[i] = (struct stream){&outputs[i], 0};
        if (manner->streamed)
            results[i].sink = (weft_sink){write_rows, &sinks[i]};
        else
            results[i].image = outputs[i].image;
    }
    if (manner->workspace)
        run.workspace = aligned_alloc(64, (run.workspace_size + 127) / 64 * 64);
    ok = ok && weft_plan_run(job->plan, &run, error) == WEFT_OK;
    free(run.workspace);
    for (int32_t i = 0; i < run.output_count && ok && manner->streamed; i++)
        ok = sinks[i].next == outputs[i].image.info.height;
    return ok;
}

bool pictures_same(const struct picture *a, const struct picture *b, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (a[i].size != b[i].size || memcmp(a[i].memory, b[i].memory, a[i].size) != 0)
            return false;
    return true;
}

void job_count(struct harness *harness, bool passed, const char *what, const char *graph, const char *why) {
    harness_count(harness, passed ? PASSED : FAILED);
    if (!passed)
        printf("FAILED %s: %s\n  graph   %s\n  again   harness --device %s --seed %llu --filter sharing\n", what, why,
               graph, harness->device, (unsigned long long)harness->seed);
}
