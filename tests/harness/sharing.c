/* SPDX-License-Identifier: MIT
 * What plans promise besides right pixels: many threads may run one at once, a run can be stopped, images may come and
 * go row by row, parameters may change between runs. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "job.h"

enum { THREADS = 4, RUNS = 3 };

struct worker {
    const struct job *job;
    const struct picture *expected;
    int number;
    bool failed;
};

static void *work(void *argument) {
    struct worker *worker = argument;
    for (int i = 0; i < RUNS; i++) {
        struct picture outputs[HARNESS_IMAGES];
        struct manner manner = {.workspace = (worker->number + i) % 2 == 0};
        weft_error error;
        bool ok = job_run(worker->job, &manner, outputs, &error);
        worker->failed |= !ok || !pictures_same(outputs, worker->expected, worker->job->outputs);
        pictures_destroy(outputs);
    }
    return NULL;
}

/* One plan in several threads at once. */
static void try_threads(struct harness *harness, const struct job *job, const struct picture *expected,
                        const char *graph) {
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    int started = 0;
    bool failed = false;
    for (; started < THREADS; started++) {
        workers[started] = (struct worker){job, expected, started, false};
        if (pthread_create(&threads[started], NULL, work, &workers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        failed |= workers[i].failed;
    }
    job_count(harness, started == THREADS && !failed, "sharing", graph, "threads that share a plan got other pixels");
}

static bool stop_at_once(void *user, double done) {
    (void)done;
    ++*(int *)user;
    return false;
}

/* A progress callback that says no: the run ends as cancelled, unless it was over before anyone asked. */
static void try_cancelling(struct harness *harness, const struct job *job, const char *graph) {
    weft_run_input inputs[HARNESS_IMAGES] = {0};
    weft_run_output results[HARNESS_IMAGES] = {0};
    struct picture outputs[HARNESS_IMAGES] = {{.memory = NULL}};
    struct chance chance = {.state = 1};
    int calls = 0;
    weft_error error = {0};
    for (int32_t i = 0; i < weft_plan_input_count(job->plan); i++)
        inputs[i].image = job->inputs[i].image;
    for (int32_t i = 0; i < job->outputs; i++) {
        weft_image_info info;
        if (weft_plan_output_info(job->plan, i, &info, &error) == WEFT_OK &&
            picture_create(&info, true, &chance, &outputs[i]))
            results[i].image = outputs[i].image;
    }
    weft_run run = {.inputs = inputs,
                    .input_count = weft_plan_input_count(job->plan),
                    .outputs = results,
                    .output_count = job->outputs,
                    .progress = stop_at_once,
                    .progress_user = &calls};
    weft_status status = weft_plan_run(job->plan, &run, &error);
    job_count(harness, calls > 0 ? status == WEFT_ERROR_CANCELLED : status == WEFT_OK, "sharing", graph,
              "progress said stop, but the run was not cancelled");
    pictures_destroy(outputs);
}

static void try_plan(struct harness *harness, weft_device *device, const char *graph, weft_type type) {
    weft_image_info info = {.width = JOB_WIDTH, .height = JOB_HEIGHT, .format = {type, 3}};
    weft_image_info infos[2] = {info, info};
    struct picture expected[HARNESS_IMAGES], streamed[HARNESS_IMAGES];
    struct job job;
    weft_error error = {0};
    weft_plan *plan = harness_plan(device, graph, infos, strstr(graph, "[1]") ? 2 : 1, 0, &error);
    if (!plan)
        return; /* a filter of it is not in this build */
    bool ok = job_open(&job, plan, harness->seed);
    ok = ok && job_run(&job, &(struct manner){0}, expected, &error);
    if (!ok) {
        job_count(harness, false, "sharing", graph, error.message);
        job_close(&job);
        return;
    }
    try_threads(harness, &job, expected, graph);
    try_cancelling(harness, &job, graph);
    if (weft_plan_can_stream(plan)) {
        ok = job_run(&job, &(struct manner){.streamed = true}, streamed, &error);
        job_count(harness, ok && pictures_same(streamed, expected, job.outputs), "sharing", graph,
                  ok ? "streams gave other pixels than images" : error.message);
        pictures_destroy(streamed);
    }
    pictures_destroy(expected);
    job_close(&job);
}

void try_sharing(struct harness *harness) {
    static const char *const graphs[] = {"gaussian=2,sobel",
                                         "brightness=0.1,contrast=1.2",
                                         "split[a][b];[b]gaussian=5[c];[a][c]blend_screen",
                                         "box=4:border=wrap,median=1",
                                         "average_luminance_threshold",
                                         "canny",
                                         "histogram",
                                         "split[a][b];[a]transpose;[b]reduce=mean",
                                         "[0][1]blend_multiply=0.5,dilate=3"};
    if (harness->filter && strcmp(harness->filter, "sharing") != 0)
        return;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        if (!harness_has_turn(harness, (int64_t)i))
            continue;
        try_plan(harness, harness->devices[0], graphs[i], WEFT_U8);
        try_plan(harness, harness->devices[harness->device_count - 1], graphs[i], WEFT_F32);
    }
    try_parameters(harness);
}
