/* SPDX-License-Identifier: MIT
 * Sixteen threads that share a device, graphs, plans, a queue and parameters nobody changes, while each also makes
 * plans, queues and parameters of its own, opens devices, reads and writes files and asks what filters there are. All
 * pixels are those of a single thread. Run it under ThreadSanitizer. test_sharing [DEVICE] */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "weft/weft.h"

enum { THREADS = 16, ROUNDS = 6, WIDTH = 61, HEIGHT = 37, CHANNELS = 3, ROW = WIDTH * CHANNELS, SIZE = ROW * HEIGHT };

/* All of one picture in and one picture of the same form out; the first has a parameter to be changed, node 1's. */
static const char *const texts[] = {"brightness=0.1,gaussian=2,contrast=1.2",
                                    "average_luminance_threshold",
                                    "split[a][b];[b]gaussian=5[c];[a][c]blend_screen",
                                    "box=4:border=wrap,median=1",
                                    "canny",
                                    "transpose,swirl,transpose"};
enum { GRAPHS = sizeof texts / sizeof *texts };

struct shared {
    const char *name;
    weft_device *device;
    weft_graph *graphs[GRAPHS];
    weft_plan *plans[GRAPHS];
    weft_image_info out[GRAPHS];
    weft_parameters *parameters; /* of plan 0, as the graph has them */
    weft_queue *queue;
    unsigned char pixels[SIZE], expected[GRAPHS][SIZE];
    atomic_int failures;
};

static const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};

static weft_status run(const struct shared *shared, int graph, const weft_plan *plan, weft_queue *queue,
                       const weft_parameters *parameters, unsigned char *out, weft_error *error) {
    const weft_image_info *made = &shared->out[graph];
    weft_run_input input = {.image = {.info = info, .data = (void *)(uintptr_t)shared->pixels, .stride = ROW}};
    weft_run_output output = {.image = {.info = *made, .data = out, .stride = made->width * made->format.channels}};
    weft_run request = {
        .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .parameters = parameters};
    if (!queue)
        return weft_plan_run(plan, &request, error);
    weft_status status = weft_queue_run(queue, plan, &request, error);
    return status == WEFT_OK ? weft_queue_wait(queue, error) : status;
}

static bool same(const struct shared *shared, int graph, const unsigned char *out) {
    const weft_image_info *made = &shared->out[graph];
    return memcmp(out, shared->expected[graph], (size_t)(made->width * made->height * made->format.channels)) == 0;
}

static weft_plan *make_plan(const struct shared *shared, int graph, weft_error *error) {
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_plan *plan = NULL;
    weft_plan_create(shared->device, shared->graphs[graph], &options, &plan, error);
    return plan;
}

/* A plan, a queue and parameters that no other thread knows of, on the device that all share. */
static bool work_alone(const struct shared *shared, int number, weft_error *error) {
    unsigned char out[SIZE], back[SIZE];
    weft_queue *queue = NULL;
    weft_parameters *parameters = NULL;
    weft_plan *plan = make_plan(shared, 0, error);
    double brightness = number / 100.0, before = 0.1;
    bool good = plan && weft_queue_create(shared->device, NULL, &queue, error) == WEFT_OK &&
                weft_parameters_create(plan, &parameters, error) == WEFT_OK &&
                weft_parameters_set(parameters, 1, "brightness", &brightness, 1, error) == WEFT_OK &&
                run(shared, 0, plan, queue, parameters, out, error) == WEFT_OK &&
                weft_parameters_set(parameters, 1, "brightness", &before, 1, error) == WEFT_OK &&
                run(shared, 0, plan, queue, parameters, back, error) == WEFT_OK && same(shared, 0, back) &&
                (number == 10 || !same(shared, 0, out));
    weft_parameters_destroy(&parameters);
    weft_queue_destroy(&queue);
    weft_plan_destroy(&plan);
    return good;
}

/* Text to graph to a plan's description, with lookups and an error on the way, on a device of the thread's own. */
static bool work_on_text(int number, weft_error *error) {
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_device_options two = {.threads = 2};
    weft_device_info described;
    char *text = NULL;
    const weft_filter_info *filter = weft_filter_at(number * 7 % weft_filter_count());
    bool good = weft_filter_find(filter->name) == filter && weft_filter_nearest("gausian") != NULL &&
                weft_graph_parse("nothing=1", 9, &graph, error) == WEFT_ERROR_GRAPH &&
                weft_graph_parse(texts[2], strlen(texts[2]), &graph, error) == WEFT_OK &&
                weft_device_open(number % 2 ? "cpu" : "auto", &two, &device, error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, error) == WEFT_OK &&
                weft_plan_print(plan, WEFT_PLAN_JSON, &text, error) == WEFT_OK && text[0];
    for (int32_t i = 0; good && weft_device_at(i, &described); i++)
        good = described.backend[0];
    weft_free(text);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    return good;
}

/* A file of the thread's own, written and read back. */
static bool work_on_files(const struct shared *shared, int number, weft_error *error) {
    char path[64];
    unsigned char back[SIZE];
    weft_writer *writer = NULL;
    weft_reader *reader = NULL;
    snprintf(path, sizeof path, "/tmp/weft-sharing-%ld-%d.%s", (long)getpid(), number, number % 2 ? "pam" : "ppm");
    bool good = weft_writer_open(path, NULL, &info, &writer, error) == WEFT_OK &&
                weft_writer_write(writer, HEIGHT, shared->pixels, ROW, error) == WEFT_OK &&
                weft_writer_finish(&writer, error) == WEFT_OK &&
                weft_reader_open(path, NULL, &reader, error) == WEFT_OK &&
                weft_reader_read(reader, HEIGHT, back, ROW, error) == WEFT_OK &&
                weft_reader_finish(reader, error) == WEFT_OK && memcmp(back, shared->pixels, SIZE) == 0;
    weft_writer_abandon(&writer);
    weft_reader_close(&reader);
    unlink(path);
    return good;
}

struct worker {
    struct shared *shared;
    int number;
};

static void *work(void *user) {
    const struct worker *worker = user;
    struct shared *shared = worker->shared;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char out[SIZE];
        weft_error error = {.message = "other pixels"};
        int graph = (worker->number + round) % GRAPHS, kind = (worker->number / 2 + round) % 4;
        bool good = run(shared, graph, shared->plans[graph], kind % 2 ? shared->queue : NULL,
                        graph == 0 ? shared->parameters : NULL, out, &error) == WEFT_OK &&
                    same(shared, graph, out);
        if (good && kind == 0)
            good = work_alone(shared, worker->number, &error);
        else if (good && kind == 1)
            good = work_on_text(worker->number, &error);
        else if (good && kind == 2)
            good = work_on_files(shared, worker->number, &error);
        if (!good) {
            fprintf(stderr, "  %s, thread %d, round %d, '%s', kind %d: %s\n", shared->name, worker->number, round,
                    texts[graph], kind, error.message);
            atomic_fetch_add(&shared->failures, 1);
        }
    }
    return NULL;
}

static bool open_shared(struct shared *shared, weft_error *error) {
    weft_device_options options = {.threads = 4};
    bool good = weft_device_open(shared->name, &options, &shared->device, error) == WEFT_OK;
    for (int i = 0; i < SIZE; i++)
        shared->pixels[i] = (unsigned char)(i * 7919 % 251);
    for (int g = 0; g < GRAPHS && good; g++)
        good = weft_graph_parse(texts[g], strlen(texts[g]), &shared->graphs[g], error) == WEFT_OK &&
               (shared->plans[g] = make_plan(shared, g, error)) != NULL &&
               weft_plan_output_info(shared->plans[g], 0, &shared->out[g], error) == WEFT_OK &&
               run(shared, g, shared->plans[g], NULL, NULL, shared->expected[g], error) == WEFT_OK;
    return good && weft_parameters_create(shared->plans[0], &shared->parameters, error) == WEFT_OK &&
           weft_queue_create(shared->device, NULL, &shared->queue, error) == WEFT_OK;
}

static void close_shared(struct shared *shared) {
    weft_queue_destroy(&shared->queue);
    weft_parameters_destroy(&shared->parameters);
    for (int g = 0; g < GRAPHS; g++) {
        weft_plan_destroy(&shared->plans[g]);
        weft_graph_destroy(&shared->graphs[g]);
    }
    weft_device_close(&shared->device);
}

static void test_device(const char *name) {
    static struct shared shared;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    weft_error error = {.message = ""};
    int started = 0;
    memset(&shared, 0, sizeof shared);
    shared.name = name;
    if (!CHECK(open_shared(&shared, &error))) {
        fprintf(stderr, "  %s: %s\n", name, error.message);
        close_shared(&shared);
        return;
    }
    for (; started < THREADS; started++) {
        workers[started] = (struct worker){&shared, started};
        if (pthread_create(&threads[started], NULL, work, &workers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    CHECK(started == THREADS);
    CHECK(atomic_load(&shared.failures) == 0);
    close_shared(&shared);
}

/* True when the device is there. */
static bool exists(const char *name) {
    weft_device *device = NULL;
    weft_error error = {.message = ""};
    bool there = weft_device_open(name, NULL, &device, &error) == WEFT_OK;
    if (!there)
        printf("%s left out: %s\n", name, error.message);
    weft_device_close(&device);
    return there;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"cpu", "auto", "reference", "vulkan", "cuda"};
    for (int i = 0; i < (argc > 1 ? 1 : 5); i++) {
        const char *name = argc > 1 ? argv[1] : names[i];
        if (exists(name) || argc > 1)
            test_device(name);
    }
    return check_done("sharing");
}
