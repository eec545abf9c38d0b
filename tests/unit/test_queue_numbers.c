/* SPDX-License-Identifier: MIT
 * Numbers of reductions and histograms of runs that a queue has under way: each comes to its own place, whatever else is
 * started, waited for, run by itself, cancelled or destroyed meanwhile. What must come out is known from how the images are
 * made. test_queue_numbers [DEVICE] */
#include <pthread.h>
#include <stdlib.h>
#include "queue_jobs.h"

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
