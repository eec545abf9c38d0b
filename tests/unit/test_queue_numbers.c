/* SPDX-License-Identifier: MIT
 * Numbers of reductions and histograms of runs that a queue has under way: each comes to its own place, whatever else is
 * started, waited for, run by itself, cancelled or destroyed meanwhile. What must come out is known from how the images are
 * made. test_queue_numbers [DEVICE] */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
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

/* More than a plan has places for, of several plans, images and parameters; waited for in between and in the end. */
static void test_many(const struct rig *rig) {
    static struct job jobs[RUNS];
    weft_queue *queue = NULL;
    weft_error error = {0};
    CHECK(weft_queue_create(rig->device, NULL, &queue, &error) == WEFT_OK);
    for (int i = 0; i < RUNS; i++) {
        make_job(rig, &jobs[i], i);
        CHECK(start(rig, queue, &jobs[i], NULL, false, &error) == WEFT_OK);
        if (i == 6 || i == 67) {
            CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
            check_jobs(jobs, i + 1);
        }
    }
    CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
    check_jobs(jobs, RUNS);
    jobs[3].first = -3; /* given once */
    CHECK(weft_queue_wait(queue, &error) == WEFT_OK && jobs[3].first == -3);
    weft_queue_destroy(&queue);
    free_jobs(jobs, RUNS);
}

/* A queue that ends, and one whose plan is run by itself meanwhile: its own numbers are there at once. */
static void test_ends(const struct rig *rig) {
    static struct job jobs[RUNS];
    struct job alone;
    weft_queue *queue = NULL;
    weft_error error = {0};
    CHECK(weft_queue_create(rig->device, NULL, &queue, &error) == WEFT_OK);
    for (int i = 0; i < RUNS; i++) {
        make_job(rig, &jobs[i], i);
        CHECK(start(rig, queue, &jobs[i], NULL, false, &error) == WEFT_OK);
        if (i % 20 == 10) {
            make_job(rig, &alone, i);
            CHECK(start(rig, NULL, &alone, NULL, false, &error) == WEFT_OK && is_right(&alone));
            free_jobs(&alone, 1);
        }
    }
    weft_queue_destroy(&queue);
    check_jobs(jobs, RUNS);
    free_jobs(jobs, RUNS);
}

/* Of runs that write to one place the last one's numbers stay, also where the last one goes another way: its image is the
 * host's. */
static void test_same_place(const struct rig *rig) {
    struct job job, other;
    float pixels[PIXELS];
    weft_image host = {.info = info, .data = pixels, .stride = WIDTH * sizeof *pixels};
    weft_queue *queue = NULL;
    weft_error error = {0};
    CHECK(weft_queue_create(rig->device, NULL, &queue, &error) == WEFT_OK);
    for (int with_host = 0; with_host < 2; with_host++) {
        make_job(rig, &job, PLAIN);
        make_job(rig, &other, BOUND);
        for (int i = 0; i < 25; i++) {
            job.image = i % IMAGES;
            job.kind = i % 2 ? BOUND : PLAIN;
            CHECK(start(rig, queue, &job, NULL, false, &error) == WEFT_OK);
        }
        job.image = 1;
        fill(pixels, job.image);
        job.kind = PLAIN;
        CHECK(start(rig, queue, &job, with_host ? &host : NULL, false, &error) == WEFT_OK);
        CHECK(start(rig, queue, &other, NULL, false, &error) == WEFT_OK);
        CHECK(weft_queue_wait(queue, &error) == WEFT_OK && is_right(&job) && is_right(&other));
    }
    weft_queue_destroy(&queue);
}

/* A run that its caller cancels is told of, by its start or by the wait; those around it have their numbers. */
static void test_cancelled(const struct rig *rig) {
    struct job jobs[3];
    weft_queue *queue = NULL;
    weft_error error = {0};
    CHECK(weft_queue_create(rig->device, NULL, &queue, &error) == WEFT_OK);
    for (int kind = 0; kind < KINDS; kind++) {
        weft_status status[3], waited;
        for (int i = 0; i < 3; i++) {
            make_job(rig, &jobs[i], kind);
            status[i] = start(rig, queue, &jobs[i], NULL, i == 1, &error);
        }
        waited = weft_queue_wait(queue, &error);
        CHECK(status[0] == WEFT_OK && status[2] == WEFT_OK && is_right(&jobs[0]) && is_right(&jobs[2]));
        CHECK((status[1] == WEFT_ERROR_CANCELLED) != (waited == WEFT_ERROR_CANCELLED));
        CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
        free_jobs(jobs, 3);
    }
    weft_queue_destroy(&queue);
}

struct user {
    const struct rig *rig;
    weft_queue *queue;
    struct job jobs[RUNS];
    bool failed;
};

static void *use(void *argument) {
    struct user *user = argument;
    for (int i = 0; i < RUNS; i++) {
        user->failed |= start(user->rig, user->queue, &user->jobs[i], NULL, false, NULL) != WEFT_OK;
        if (i % 11 == 10) {
            user->failed |= weft_queue_wait(user->queue, NULL) != WEFT_OK;
            for (int k = i - 10; k <= i; k++)
                user->failed |= !is_right(&user->jobs[k]);
        }
    }
    user->failed |= weft_queue_wait(user->queue, NULL) != WEFT_OK;
    return NULL;
}

/* Threads with plans in common, two to a queue: each finds its numbers after a wait of its own, whoever gave them. */
static void test_threads(const struct rig *rig) {
    static struct user users[USERS];
    weft_queue *queues[USERS / 2] = {NULL};
    pthread_t threads[USERS];
    int started = 0;
    for (int i = 0; i < USERS / 2; i++)
        CHECK(weft_queue_create(rig->device, NULL, &queues[i], NULL) == WEFT_OK);
    for (int u = 0; u < USERS; u++) {
        users[u].rig = rig;
        users[u].queue = queues[u / 2];
        users[u].failed = false;
        for (int i = 0; i < RUNS; i++)
            make_job(rig, &users[u].jobs[i], i + u);
    }
    while (started < USERS && pthread_create(&threads[started], NULL, use, &users[started]) == 0)
        started++;
    CHECK(started == USERS);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (int u = 0; u < USERS; u++) {
        CHECK(!users[u].failed);
        check_jobs(users[u].jobs, RUNS);
        free_jobs(users[u].jobs, RUNS);
    }
    for (int i = 0; i < USERS / 2; i++)
        weft_queue_destroy(&queues[i]);
}

static void test(weft_device *device) {
    struct rig rig;
    if (open_rig(&rig, device)) {
        test_many(&rig);
        test_ends(&rig);
        test_same_place(&rig);
        test_cancelled(&rig);
        test_threads(&rig);
    }
    close_rig(&rig);
}

/* A device that is lost with runs under way: the wait says so, and nobody gets numbers that were never made. The emulated one
 * can be told when (tests/cuda/context.c). */
static void test_lost(void) {
    static struct job jobs[RUNS];
    weft_device *device = NULL;
    weft_device_info described = {0};
    weft_queue *queue = NULL;
    weft_error error = {0};
    struct rig rig;
    if (weft_device_open("cuda", NULL, &device, NULL) != WEFT_OK)
        return;
    weft_device_describe(device, &described);
    weft_device_close(&device);
    if (!strstr(described.name, "emulated"))
        return;
    setenv("WEFT_EMULATED_LOSE", "20", 1); /* launches */
    bool opened = weft_device_open("cuda", NULL, &device, &error) == WEFT_OK;
    unsetenv("WEFT_EMULATED_LOSE");
    if (CHECK(opened) && open_rig(&rig, device)) {
        CHECK(weft_queue_create(device, NULL, &queue, &error) == WEFT_OK);
        weft_status first = WEFT_OK;
        int count = 0;
        for (; count < 12 && first == WEFT_OK; count++) {
            make_job(&rig, &jobs[count], 3 * count); /* two launches and two that join */
            first = start(&rig, queue, &jobs[count], NULL, false, &error);
        }
        weft_status waited = weft_queue_wait(queue, &error);
        CHECK(first == WEFT_OK && waited == WEFT_ERROR_DEVICE);
        for (int i = 0; i < count; i++)
            CHECK(is_right(&jobs[i]) || jobs[i].first == -7);
        CHECK(start(&rig, queue, &jobs[0], NULL, false, &error) == WEFT_ERROR_DEVICE);
        weft_queue_destroy(&queue);
        close_rig(&rig);
    }
    weft_device_close(&device);
}

int main(int argc, char **argv) {
    run_on_every_device(argc, argv, test);
    if (argc < 2 || strcmp(argv[1], "cuda") == 0)
        test_lost();
    return check_done("queue_numbers");
}
