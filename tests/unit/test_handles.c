/* SPDX-License-Identifier: MIT
 * Handles closed in every order, in the child of a fork, and on a system that gives no threads. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "weft/weft.h"

enum { SIDE = 64, HANDLES = 7 };
#if defined(__SANITIZE_THREAD__)
enum { CHILD_THREADS = 1 }; /* ThreadSanitizer knows no threads of a child */
#else
enum { CHILD_THREADS = 2 };
#endif

/* ---- a system that gives only so many threads */

static int threads_left = 1 << 20;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user) {
    if (threads_left <= 0)
        return EAGAIN;
    threads_left--;
    return __real_pthread_create(thread, attributes, start, user);
}

/* ---- one of every handle */

struct handles {
    weft_catalog *catalog;
    weft_graph *graph;
    weft_device *device;
    weft_plan *plan;
    weft_parameters *parameters;
    weft_queue *queue;
    weft_image image; /* of weft_memory_create */
    weft_run_input input;
    weft_run_output output;
    weft_run run;
    unsigned char *pixels, *result;
};

/* Numbers of its own make a program's filter that a graph and its plan still need: result = 1 - value. */
static void invert_row(const weft_custom_pixels *row) {
    for (int32_t i = 0; i < row->count; i++)
        row->out[0][i] = 1 - row->in[0][0][i];
}

static bool open_device(struct handles *h, int threads) {
    weft_device_options options = {.threads = threads};
    return CHECK(weft_device_open("cpu", &options, &h->device, NULL) == WEFT_OK);
}

static bool open_handles(struct handles *h, int threads) {
    static const char text[] = "exposure=0,test_invert,box=1,test_invert";
    const weft_custom_filter custom = {.name = "test_invert", .pixels = invert_row};
    const weft_image_info info = {.width = SIDE, .height = SIDE, .format = {WEFT_U8, 1}};
    const weft_plan_options options = {.inputs = &info, .input_count = 1};
    *h = (struct handles){.pixels = malloc(SIDE * SIDE), .result = calloc(SIDE, SIDE)};
    if (!h->pixels || !h->result || !open_device(h, threads))
        return false;
    memset(h->pixels, 100, SIDE * SIDE);
    h->input.image = (weft_image){.info = info, .data = h->pixels, .stride = SIDE};
    h->output.image = (weft_image){.info = info, .data = h->result, .stride = SIDE};
    h->run = (weft_run){.inputs = &h->input, .input_count = 1, .outputs = &h->output, .output_count = 1};
    return CHECK(weft_catalog_create(&h->catalog, NULL) == WEFT_OK) &&
           CHECK(weft_catalog_add(h->catalog, &custom, NULL) == WEFT_OK) &&
           CHECK(weft_catalog_parse(h->catalog, text, strlen(text), &h->graph, NULL) == WEFT_OK) &&
           CHECK(weft_plan_create(h->device, h->graph, &options, &h->plan, NULL) == WEFT_OK) &&
           CHECK(weft_parameters_create(h->plan, &h->parameters, NULL) == WEFT_OK) &&
           CHECK(weft_queue_create(h->device, NULL, &h->queue, NULL) == WEFT_OK) &&
           CHECK(weft_memory_create(h->device, &info, &h->image, NULL) == WEFT_OK);
}

static void close_one(struct handles *h, int which) {
    switch (which) {
    case 0:
        weft_catalog_destroy(&h->catalog);
        break;
    case 1:
        weft_graph_destroy(&h->graph);
        break;
    case 2:
        weft_device_close(&h->device);
        break;
    case 3:
        weft_plan_destroy(&h->plan);
        break;
    case 4:
        weft_parameters_destroy(&h->parameters);
        break;
    case 5:
        weft_queue_destroy(&h->queue);
        break;
    default:
        weft_memory_destroy(h->device, &h->image);
    }
}

static void close_handles(struct handles *h) {
    for (int i = 0; i < HANDLES; i++)
        close_one(h, i);
    free(h->pixels);
    free(h->result);
}

static bool made(struct handles *h, int value) {
    bool good = h->result[0] == value && h->result[SIDE * SIDE - 1] == value;
    memset(h->result, 0, SIDE * SIDE);
    return good;
}

/* What is left works as if all were there. */
static bool use(struct handles *h) {
    const double stop = 1;
    bool good = true;
    if (h->parameters)
        good = weft_parameters_set(h->parameters, 1, "exposure", &stop, 1, NULL) == WEFT_OK;
    if (h->plan)
        good = good && weft_plan_run(h->plan, &h->run, NULL) == WEFT_OK && made(h, 100);
    if (h->plan && h->queue)
        good = good && weft_queue_run(h->queue, h->plan, &h->run, NULL) == WEFT_OK &&
               weft_queue_wait(h->queue, NULL) == WEFT_OK && made(h, 100);
    if (h->image.data)
        memset(h->image.data, 1, SIDE * SIDE);
    return good;
}

static void every_order(void) {
    int order[HANDLES];
    for (int number = 0; number < 5040; number++) { /* HANDLES! */
        struct handles h;
        bool good = true;
        for (int i = 0, rest = number; i < HANDLES; i++) {
            int place = rest % (i + 1);
            rest /= i + 1;
            for (int k = i; k > place; k--)
                order[k] = order[k - 1];
            order[place] = i;
        }
        if (!open_handles(&h, 1))
            break;
        /* Runs with these parameters wait in the queue when they, the plan and the rest are gone. */
        weft_run run = h.run;
        run.parameters = h.parameters;
        for (int i = 0; i < 3; i++)
            good = good && weft_queue_run(h.queue, h.plan, &run, NULL) == WEFT_OK;
        for (int i = 0; i < HANDLES; i++) {
            close_one(&h, order[i]);
            if (number % 7 == 0 && i == 0 && h.queue)
                good = good && weft_queue_wait(h.queue, NULL) == WEFT_OK;
            if (number % 7 == 0)
                good = good && use(&h);
        }
        if (!CHECK(good))
            fprintf(stderr, "  in order %d\n", number);
        close_handles(&h);
    }
}

/* ---- fork */

static int child(struct handles *h) {
    const weft_image_info info = h->input.image.info;
    const weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_plan *plan = NULL;
    weft_queue *queue = NULL;
    weft_image image = {0};
    weft_error error = {0};
    alarm(20); /* a hang ends it */
    CHECK(weft_plan_run(h->plan, &h->run, &error) == WEFT_ERROR_DEVICE && strstr(error.message, "opened again"));
    CHECK(weft_plan_create(h->device, h->graph, &options, &plan, &error) == WEFT_ERROR_DEVICE && !plan);
    CHECK(weft_queue_create(h->device, NULL, &queue, &error) == WEFT_ERROR_DEVICE && !queue);
    CHECK(weft_queue_run(h->queue, h->plan, &h->run, &error) == WEFT_ERROR_DEVICE);
    CHECK(weft_queue_copy(h->queue, &h->input.image, &h->output.image, &error) == WEFT_ERROR_DEVICE);
    CHECK(weft_queue_wait(h->queue, &error) == WEFT_ERROR_DEVICE);
    CHECK(weft_memory_create(h->device, &info, &image, &error) == WEFT_ERROR_DEVICE);
    CHECK(weft_image_copy(h->device, &h->input.image, &h->output.image, &error) == WEFT_ERROR_DEVICE);
    weft_device_close(&h->device);
    weft_plan_destroy(&h->plan);
    weft_parameters_destroy(&h->parameters);
    weft_queue_destroy(&h->queue);
    if (open_device(h, CHILD_THREADS)) {
        CHECK(weft_plan_create(h->device, h->graph, &options, &h->plan, NULL) == WEFT_OK);
        CHECK(weft_plan_run(h->plan, &h->run, NULL) == WEFT_OK && made(h, 100));
    }
    close_handles(h);
    return check_failed ? 1 : 0;
}

static bool slow_progress(void *user, double done) {
    (void)done;
    return *(volatile bool *)user;
}

static void forked(const char *device) {
    struct handles h;
    bool go_on = true;
    if (!open_handles(&h, 4))
        return;
    if (strcmp(device, "cpu") != 0) { /* of another device are only the device and the plan */
        weft_device_close(&h.device);
        CHECK(weft_device_open(device, NULL, &h.device, NULL) == WEFT_OK);
    }
    h.run.progress = slow_progress;
    h.run.progress_user = &go_on;
    CHECK(weft_queue_run(h.queue, h.plan, &h.run, NULL) == WEFT_OK); /* its thread may be anywhere when it forks */
    pid_t process = fork();
    if (process == 0)
        _exit(child(&h));
    int status = -1;
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        fprintf(stderr, "  the child of %s ended with status %#x\n", device, (unsigned)status);
    CHECK(weft_queue_wait(h.queue, NULL) == WEFT_OK && made(&h, 100));
    CHECK(use(&h)); /* the parent's is as it was */
    close_handles(&h);
}

/* ---- threads that cannot be started */

static void say(void *user, weft_log_level level, const char *message) {
    if (level == WEFT_LOG_WARNING && strstr(message, "threads of 8"))
        ++*(int *)user;
}

static void few_threads(int left) {
    struct handles h;
    int warnings = 0;
    weft_device_options options = {.threads = 8, .log = {say, &warnings, WEFT_LOG_WARNING}};
    weft_device *device = NULL;
    weft_device_info info;
    char wanted[32];
    threads_left = left;
    snprintf(wanted, sizeof wanted, "%d thread", left + 1);
    if (CHECK(weft_device_open("cpu", &options, &device, NULL) == WEFT_OK)) {
        weft_device_describe(device, &info);
        CHECK(strstr(info.detail, wanted) != NULL);
        CHECK(warnings == 1);
    }
    if (open_handles(&h, 8)) /* whose queue gets no thread either */
        for (int i = 0; i < 3; i++)
            CHECK(use(&h));
    close_handles(&h);
    weft_device_close(&device);
    threads_left = 1 << 20;
}

int main(void) {
    every_order();
    for (int i = 0; i < 10; i++)
        forked("cpu");
    forked("auto");
    forked("reference");
    few_threads(0);
    few_threads(2);
    return check_done("handles");
}
