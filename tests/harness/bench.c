/* SPDX-License-Identifier: MIT
 * Times every filter's example graph on pictures of 1920x1080 and prints a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "harness.h"

enum { RUNS = 7 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b) {
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* The median time in milliseconds; negative when it could not be run, the error then says why. */
static double time_plan(const weft_plan *plan, const struct picture *inputs, weft_error *error) {
    struct picture outputs[HARNESS_IMAGES] = {{.memory = NULL}};
    weft_run_input run_inputs[HARNESS_IMAGES] = {0};
    weft_run_output run_outputs[HARNESS_IMAGES] = {0};
    double times[RUNS] = {0}, median = -1;
    struct chance chance = {.state = 1};
    weft_run run = {.inputs = run_inputs,
                    .input_count = weft_plan_input_count(plan),
                    .outputs = run_outputs,
                    .output_count = weft_plan_output_count(plan),
                    .workspace_size = weft_plan_workspace_size(plan)};
    bool ok = true;
    for (int32_t i = 0; i < run.input_count; i++)
        run_inputs[i].image = inputs[i].image;
    for (int32_t i = 0; i < run.output_count && ok; i++) {
        weft_image_info info;
        ok = weft_plan_output_info(plan, i, &info, error) == WEFT_OK &&
             picture_create(&info, true, &chance, &outputs[i]);
        run_outputs[i].image = outputs[i].image;
    }
    run.workspace = aligned_alloc(64, (run.workspace_size + 127) / 64 * 64);
    ok = ok && run.workspace && weft_plan_run(plan, &run, error) == WEFT_OK; /* warms up */
    for (int i = 0; i < RUNS && ok; i++) {
        double start = now();
        ok = weft_plan_run(plan, &run, error) == WEFT_OK;
        times[i] = now() - start;
    }
    if (ok) {
        qsort(times, RUNS, sizeof *times, compare);
        median = times[RUNS / 2];
    }
    for (int32_t i = 0; i < HARNESS_IMAGES; i++)
        picture_destroy(&outputs[i]);
    free(run.workspace);
    return median;
}

int bench_filters(const struct harness *harness) {
    weft_image_info info = {.width = 1920, .height = 1080, .format = {WEFT_U8, 3}};
    weft_image_info infos[HARNESS_IMAGES] = {info, info, info, info};
    struct picture inputs[HARNESS_IMAGES] = {{.memory = NULL}};
    struct chance chance = {.state = harness->seed};
    int status = 0;
    for (int i = 0; i < HARNESS_IMAGES; i++) {
        if (!picture_create(&info, true, &chance, &inputs[i])) {
            fprintf(stderr, "harness: not enough memory\n");
            return 1;
        }
        picture_fill(&inputs[i], CONTENT_RANDOM, &chance);
    }
    printf("%-24s %10s %7s %9s  %s\n", "filter", "ms", "passes", "GB/s", "1920x1080 u8x3");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        weft_graph *graph = NULL;
        weft_error error = {0};
        if (harness->filter && strcmp(harness->filter, filter->name) != 0)
            continue;
        weft_graph_parse(filter->example, strlen(filter->example), &graph, &error);
        int32_t count = graph ? weft_graph_inputs(graph) : 0;
        weft_graph_destroy(&graph);
        weft_plan *plan = count <= HARNESS_IMAGES
                              ? harness_plan(harness->devices[0], filter->example, infos, count, 0, &error)
                              : NULL;
        double time = plan ? time_plan(plan, inputs, &error) : -1;
        if (time < 0)
            printf("%-24s %10s %7s %9s  %s: %s\n", filter->name, "-", "-", "-", filter->example, error.message);
        else
            printf("%-24s %10.3f %7d %9.2f  %s\n", filter->name, time, (int)weft_plan_passes(plan),
                   (double)weft_plan_bytes(plan) / time * 1e-6, filter->example);
        fflush(stdout);
        status |= time < 0;
        weft_plan_destroy(&plan);
    }
    for (int i = 0; i < HARNESS_IMAGES; i++)
        picture_destroy(&inputs[i]);
    return status;
}
