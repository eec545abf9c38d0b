/* SPDX-License-Identifier: MIT
 * Runs whose numbers are known, for test_queue_numbers.c. */
#ifndef TESTS_QUEUE_JOBS_H
#define TESTS_QUEUE_JOBS_H
#include <math.h>
#include <string.h>
#include "check.h"
#include "run_graph.h"

enum { WIDTH = 37, HEIGHT = 23, PIXELS = WIDTH * HEIGHT, IMAGES = 5, RUNS = 90, BINS = 4, USERS = 4 };
enum kind { PLAIN, CHANGED, BOUND, KINDS };

/* Of images in memory; of what other filters make, with a parameter of the run's (node 1's), by kernels of other kinds; with
 * a parameter that an earlier step of the run finds. */
static const char *const texts[KINDS] = {"split[a][b];[a]reduce=sum;[b]reduce=max",
                                         "brightness=0,split[a][b];[a]reduce=mean;[b]histogram=4",
                                         "split[a][b];[a]reduce=mean[m];[b]brightness=@m,reduce=max"};

static const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, 1}};

struct rig {
    weft_device *device;
    weft_plan *plans[KINDS];
    weft_image images[IMAGES];
};

/* A run, and where its numbers come to. */
struct job {
    enum kind kind;
    int image;
    double amount;
    weft_parameters *parameters;
    double first, second[BINS];
};

/* All pixels of an image are its level but one, which is twice that; so sums are exact. */
static double level(int image) { return (double)(image + 1) / 64; }

static weft_plan *plan_of(weft_device *device, const char *text, weft_error *error) {
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    if (weft_graph_parse(text, strlen(text), &graph, error) == WEFT_OK)
        weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

static void fill(float *pixels, int image) {
    for (int i = 0; i < PIXELS; i++)
        pixels[i] = (float)level(image);
    pixels[2 * WIDTH + 5] *= 2;
}

static bool open_rig(struct rig *rig, weft_device *device) {
    float pixels[PIXELS];
    weft_error error = {0};
    bool good = true;
    *rig = (struct rig){.device = device};
    for (int k = 0; k < KINDS && good; k++)
        good = (rig->plans[k] = plan_of(device, texts[k], &error)) != NULL;
    for (int i = 0; i < IMAGES && good; i++) {
        weft_image host = {.info = info, .data = pixels, .stride = WIDTH * sizeof *pixels};
        fill(pixels, i);
        good = weft_memory_create(device, &info, &rig->images[i], &error) == WEFT_OK &&
               weft_image_copy(device, &host, &rig->images[i], &error) == WEFT_OK;
    }
    if (!CHECK(good))
        fprintf(stderr, "%s\n", error.message);
    return good;
}

static void close_rig(struct rig *rig) {
    for (int i = 0; i < IMAGES; i++)
        weft_memory_destroy(rig->device, &rig->images[i]);
    for (int k = 0; k < KINDS; k++)
        weft_plan_destroy(&rig->plans[k]);
}

static void make_job(const struct rig *rig, struct job *job, int number) {
    *job = (struct job){.kind = (enum kind)(number % KINDS), .image = number % IMAGES, .amount = number % 9 / 64.0};
    job->first = -7;
    for (int i = 0; i < BINS; i++)
        job->second[i] = -7;
    if (job->kind == CHANGED)
        CHECK(weft_parameters_create(rig->plans[CHANGED], &job->parameters, NULL) == WEFT_OK &&
              weft_parameters_set(job->parameters, 1, "brightness", &job->amount, 1, NULL) == WEFT_OK);
}

static bool cancel(void *user, double done) {
    (void)user, (void)done;
    return false;
}

/* By the queue, or waiting where there is none; `in` stands for the job's image where it is not NULL. */
static weft_status start(const struct rig *rig, weft_queue *queue, struct job *job, const weft_image *in, bool cancelled,
                         weft_error *error) {
    const weft_plan *plan = rig->plans[job->kind];
    weft_run_input input = {.image = in ? *in : rig->images[job->image]};
    weft_run_output outputs[2] = {{.image = {.data = &job->first}}, {.image = {.data = job->second}}};
    weft_run run = {.inputs = &input,
                    .input_count = 1,
                    .outputs = outputs,
                    .output_count = weft_plan_output_count(plan),
                    .parameters = job->parameters,
                    .progress = cancelled ? cancel : NULL};
    for (int i = 0; i < run.output_count; i++) {
        weft_plan_output_info(plan, i, &outputs[i].image.info, NULL);
        outputs[i].image.stride = (ptrdiff_t)(outputs[i].image.info.width * (int64_t)sizeof(double));
    }
    return queue ? weft_queue_run(queue, plan, &run, error) : weft_plan_run(plan, &run, error);
}

static bool near(double got, double wanted) { return fabs(got - wanted) <= 1e-6 * (1 + fabs(wanted)); }

static bool is_right(const struct job *job) {
    double v = level(job->image), mean = v * (PIXELS + 1) / PIXELS;
    if (job->kind == PLAIN)
        return near(job->first, v * (PIXELS + 1)) && near(job->second[0], 2 * v) && job->second[1] == -7;
    if (job->kind == BOUND)
        return near(job->first, 2 * v + mean) && job->second[0] == -7;
    double counts[BINS] = {0};
    counts[(int)((v + job->amount) * BINS)] += PIXELS - 1;
    counts[(int)((2 * v + job->amount) * BINS)] += 1;
    return near(job->first, mean + job->amount) && memcmp(counts, job->second, sizeof counts) == 0;
}

static void check_jobs(struct job *jobs, int count) {
    int wrong = 0;
    for (int i = 0; i < count; i++)
        if (!is_right(&jobs[i])) {
            fprintf(stderr, "run %d, kind %d: %.9g and %.9g\n", i, (int)jobs[i].kind, jobs[i].first, jobs[i].second[0]);
            wrong++;
        }
    CHECK(wrong == 0);
}

static void free_jobs(struct job *jobs, int count) {
    for (int i = 0; i < count; i++)
        weft_parameters_destroy(&jobs[i].parameters);
}

#endif
