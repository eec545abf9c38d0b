/* SPDX-License-Identifier: MIT
 * Queues: order, failures, waiting, many at once; images in a device's memory, and copies of them. test_queue [DEVICE]
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "run_graph.h"

enum { WIDTH = 37, HEIGHT = 23, RUNS = 40, QUEUES = 4 };

static const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 1}};

static weft_plan *plan_of(weft_device *device, const char *text) {
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK);
    weft_graph_destroy(&graph);
    return plan;
}

static weft_image host_image(unsigned char *pixels) {
    return (weft_image){.info = info, .data = pixels, .stride = WIDTH};
}

static weft_status start(weft_queue *queue, const weft_plan *plan, const weft_image *in, const weft_image *out,
                         weft_error *error) {
    weft_run_input input = {.image = *in};
    weft_run_output output = {.image = *out};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    return weft_queue_run(queue, plan, &run, error); /* the lists go out of scope before the run is done */
}

static bool all_are(const unsigned char *pixels, int value) {
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (pixels[i] != value)
            return false;
    return true;
}

/* Each run reads what the one before it wrote: out of order, the last image would be another. */
static void test_order(weft_device *device) {
    static unsigned char pixels[RUNS + 1][WIDTH * HEIGHT];
    weft_plan *plan = plan_of(device, "invert");
    weft_queue *queue = NULL;
    memset(pixels, 7, sizeof pixels);
    memset(pixels[0], 200, sizeof pixels[0]);
    CHECK(weft_queue_create(device, NULL, &queue, NULL) == WEFT_OK);
    for (int i = 0; i < RUNS; i++) {
        weft_image in = host_image(pixels[i]), out = host_image(pixels[i + 1]);
        CHECK(start(queue, plan, &in, &out, NULL) == WEFT_OK);
    }
    CHECK(weft_queue_wait(queue, NULL) == WEFT_OK);
    CHECK(all_are(pixels[RUNS], RUNS % 2 ? 55 : 200) && all_are(pixels[RUNS - 1], RUNS % 2 ? 200 : 55));
    CHECK(weft_queue_wait(queue, NULL) == WEFT_OK);
    weft_queue_destroy(&queue);
    CHECK(queue == NULL);
    weft_queue_destroy(&queue);
    weft_plan_destroy(&plan);
}

/* Upload, many runs within the device's memory, a copy within it, download: all started before anything is waited for.
 */
static void test_memory(weft_device *device) {
    unsigned char pixels[WIDTH * HEIGHT], result[WIDTH * HEIGHT + 1] = {0};
    weft_plan *plan = plan_of(device, "invert");
    weft_queue *queue = NULL;
    weft_image images[3], from = host_image(pixels), to = host_image(result);
    weft_error error = {0};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (unsigned char)(i * 31);
    CHECK(weft_queue_create(device, NULL, &queue, NULL) == WEFT_OK);
    bool made = true;
    for (int i = 0; i < 3; i++) {
        made = weft_memory_create(device, &info, &images[i], &error) == WEFT_OK && made;
        CHECK(images[i].info.width == WIDTH && images[i].data && images[i].stride >= WIDTH);
    }
    if (CHECK(made)) {
        CHECK(weft_queue_copy(queue, &from, &images[0], NULL) == WEFT_OK);
        for (int i = 0; i < RUNS; i++)
            CHECK(start(queue, plan, &images[i % 2], &images[1 - i % 2], NULL) == WEFT_OK);
        CHECK(weft_queue_copy(queue, &images[RUNS % 2], &images[2], NULL) == WEFT_OK);
        CHECK(start(queue, plan, &images[2], &images[1], NULL) == WEFT_OK);
        CHECK(weft_queue_copy(queue, &images[1], &to, NULL) == WEFT_OK);
        CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
        bool right = result[WIDTH * HEIGHT] == 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            right = right && result[i] == (unsigned char)(RUNS % 2 ? pixels[i] : 255 - pixels[i]);
        CHECK(right);
        /* The same by waiting calls; rows of the host's image from the last to the first. */
        weft_image upside_down = {.info = info, .data = result + WIDTH * (HEIGHT - 1), .stride = -WIDTH};
        CHECK(weft_image_copy(device, &from, &images[0], &error) == WEFT_OK);
        CHECK(weft_image_copy(device, &images[0], &images[2], &error) == WEFT_OK);
        CHECK(weft_image_copy(device, &images[2], &upside_down, &error) == WEFT_OK);
        CHECK(memcmp(result, pixels + WIDTH * (HEIGHT - 1), WIDTH) == 0);
        /* And a run that mixes the host's memory and the device's. */
        weft_run_input input = {.image = images[2]};
        weft_run_output output = {.image = to};
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
        CHECK(weft_plan_run(plan, &run, &error) == WEFT_OK);
        CHECK(result[5] == (unsigned char)(255 - pixels[5]));
    }
    weft_queue_destroy(&queue);
    for (int i = 0; i < 3; i++)
        weft_memory_destroy(device, &images[i]);
    CHECK(!images[0].data);
    weft_memory_destroy(device, &images[0]);
    weft_plan_destroy(&plan);
}

static weft_status refuse(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    (void)y, (void)count, (void)rows, (void)stride;
    if (error)
        *error = (weft_error){.status = WEFT_ERROR_FILE, .node = -1, .offset = -1};
    if (error)
        snprintf(error->message, sizeof error->message, "%s", (const char *)user);
    return WEFT_ERROR_FILE;
}

static weft_status start_failing(weft_queue *queue, const weft_plan *plan, const char *why, const weft_image *out) {
    weft_run_input input = {.source = {refuse, (void *)(uintptr_t)why}};
    weft_run_output output = {.image = *out};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    return weft_queue_run(queue, plan, &run, NULL);
}

/* The first failure is told once; what comes after it is run all the same. */
static void test_failures(weft_device *device) {
    unsigned char in_pixels[WIDTH * HEIGHT], out_pixels[WIDTH * HEIGHT], third[WIDTH * HEIGHT] = {0};
    weft_plan *plan = plan_of(device, "invert");
    weft_queue *queue = NULL;
    weft_image in = host_image(in_pixels), out = host_image(out_pixels), last = host_image(third);
    weft_error error = {0};
    memset(in_pixels, 1, sizeof in_pixels);
    CHECK(weft_queue_create(device, NULL, &queue, NULL) == WEFT_OK);
    if (weft_plan_can_stream(plan)) {
        CHECK(start(queue, plan, &in, &out, NULL) == WEFT_OK);
        CHECK(start_failing(queue, plan, "the first", &out) == WEFT_OK);
        CHECK(start_failing(queue, plan, "the second", &out) == WEFT_OK);
        CHECK(start(queue, plan, &in, &last, NULL) == WEFT_OK);
        CHECK(weft_queue_wait(queue, &error) == WEFT_ERROR_FILE && strcmp(error.message, "the first") == 0);
        CHECK(all_are(third, 254));
        CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
        CHECK(start_failing(queue, plan, "again", &out) == WEFT_OK);
        CHECK(weft_queue_wait(queue, NULL) == WEFT_ERROR_FILE);
        CHECK(start_failing(queue, plan, "never asked for", &out) == WEFT_OK);
    }
    weft_queue_destroy(&queue); /* with a run pending */
    weft_plan_destroy(&plan);
}

/* Numbers come to the host, whatever device makes them: memory for them is the host's, and no other is taken. */
static void test_numbers(weft_device *device) {
    weft_error error = {0};
    weft_queue *queue = NULL;
    weft_plan *plan = plan_of(device, "reduce=sum");
    weft_image in = {.data = NULL}, out = {.data = NULL};
    weft_image_info numbers;
    static unsigned char ones[WIDTH * HEIGHT];
    memset(ones, 255, sizeof ones);
    weft_image host = host_image(ones);
    CHECK(plan && weft_plan_output_info(plan, 0, &numbers, &error) == WEFT_OK && numbers.format.type == WEFT_F64);
    CHECK(weft_memory_create(device, &numbers, &out, &error) == WEFT_OK && out.memory == WEFT_MEMORY_HOST);
    CHECK(weft_memory_create(device, &info, &in, &error) == WEFT_OK);
    CHECK(weft_image_copy(device, &host, &in, &error) == WEFT_OK);
    CHECK(weft_queue_create(device, NULL, &queue, &error) == WEFT_OK);
    CHECK(start(queue, plan, &in, &out, &error) == WEFT_OK && weft_queue_wait(queue, &error) == WEFT_OK);
    double sum = 0;
    memcpy(&sum, out.data, sizeof sum);
    CHECK(sum > WIDTH * HEIGHT * 0.9999 && sum < WIDTH * HEIGHT * 1.0001);
    if (in.memory != WEFT_MEMORY_HOST) {
        weft_image wrong = in;
        wrong.info = numbers;
        wrong.stride = 8;
        CHECK(start(queue, plan, &in, &wrong, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "processor's memory"));
    }
    weft_queue_destroy(&queue);
    weft_memory_destroy(device, &in);
    weft_memory_destroy(device, &out);
    weft_plan_destroy(&plan);
}

/* What can be known at once is refused at once, and nothing is started. */
static void test_refusals(weft_device *device) {
    unsigned char in_pixels[WIDTH * HEIGHT], out_pixels[WIDTH * HEIGHT];
    weft_plan *plan = plan_of(device, "invert");
    weft_queue *queue = NULL;
    weft_image in = host_image(in_pixels), out = host_image(out_pixels), bad;
    weft_error error = {0};
    weft_device *other = NULL;
    memset(in_pixels, 1, sizeof in_pixels);
    memset(out_pixels, 1, sizeof out_pixels);
    CHECK(weft_queue_create(NULL, NULL, &queue, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_queue_create(device, NULL, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_queue_create(device, NULL, &queue, NULL) == WEFT_OK);
    CHECK(weft_queue_run(NULL, plan, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_queue_run(queue, plan, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_queue_wait(NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(start(queue, plan, &in, &in, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "overlaps"));
    bad = out;
    bad.info.width--;
    CHECK(start(queue, plan, &in, &bad, &error) == WEFT_ERROR_FORMAT);
    CHECK(weft_queue_copy(queue, &in, &bad, &error) == WEFT_ERROR_FORMAT && strstr(error.message, "37x23"));
    CHECK(weft_queue_copy(queue, &in, &in, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "overlaps"));
    bad = out;
    bad.data = NULL;
    CHECK(start(queue, plan, &in, &bad, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_queue_copy(queue, &bad, &out, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_image_copy(NULL, &in, &out, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_memory_create(device, NULL, &bad, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_memory_create(device, &(weft_image_info){.width = 0}, &bad, &error) == WEFT_ERROR_FORMAT && !bad.data);
    bad = out;
    bad.memory = (weft_memory)9;
    CHECK(start(queue, plan, &in, &bad, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "unknown kind"));
    if (CHECK(weft_device_open("null", NULL, &other, NULL) == WEFT_OK)) {
        weft_plan *foreign = plan_of(other, "invert");
        CHECK(start(queue, foreign, &in, &out, &error) == WEFT_ERROR_ARGUMENT &&
              strstr(error.message, "another device"));
        /* Memory of one backend is none of the other's. */
        bad = out;
        bad.memory = WEFT_MEMORY_CUDA;
        CHECK(start(queue, foreign, &in, &bad, &error) == WEFT_ERROR_ARGUMENT &&
              strstr(error.message, "device of cuda"));
        bad.memory = WEFT_MEMORY_VULKAN;
        CHECK(weft_image_copy(other, &in, &bad, &error) == WEFT_ERROR_ARGUMENT &&
              strstr(error.message, "device of vulkan"));
        weft_plan_destroy(&foreign);
        weft_semaphore semaphore = {.handle = &bad};
        weft_run_input input = {.image = in};
        weft_run_output output = {.image = out};
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
        run.wait = &semaphore, run.wait_count = 1;
        foreign = plan_of(other, "invert");
        CHECK(weft_plan_run(foreign, &run, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "Vulkan"));
        run.wait = NULL;
        CHECK(weft_plan_run(foreign, &run, &error) == WEFT_ERROR_ARGUMENT);
        weft_plan_destroy(&foreign);
        weft_queue *none = NULL;
        CHECK(weft_queue_create(other, &(weft_queue_options){.has_cuda_stream = true}, &none, &error) ==
              WEFT_ERROR_ARGUMENT);
        weft_device_close(&other);
    }
    CHECK(weft_queue_wait(queue, &error) == WEFT_OK);
    CHECK(all_are(out_pixels, 1));
    weft_queue_destroy(&queue);
    weft_plan_destroy(&plan);
}

struct user {
    weft_queue *queue;
    const weft_plan *plan;
    unsigned char first[WIDTH * HEIGHT], second[WIDTH * HEIGHT];
    bool failed;
};

/* Several threads, two to a queue; each has images of its own and waits in between. */
static void *use(void *argument) {
    struct user *user = argument;
    weft_image images[2] = {host_image(user->first), host_image(user->second)};
    memset(user->first, 10, sizeof user->first);
    for (int i = 0; i < 2 * RUNS; i++) {
        user->failed |= start(user->queue, user->plan, &images[i % 2], &images[1 - i % 2], NULL) != WEFT_OK;
        if (i % 16 == 15)
            user->failed |= weft_queue_wait(user->queue, NULL) != WEFT_OK;
    }
    user->failed |= weft_queue_wait(user->queue, NULL) != WEFT_OK;
    user->failed |= !all_are(user->first, 10);
    return NULL;
}

static void test_threads(weft_device *device) {
    static struct user users[2 * QUEUES];
    weft_queue *queues[QUEUES] = {NULL};
    pthread_t threads[2 * QUEUES];
    weft_plan *plan = plan_of(device, "invert");
    int started = 0;
    for (int i = 0; i < QUEUES; i++)
        CHECK(weft_queue_create(device, NULL, &queues[i], NULL) == WEFT_OK);
    for (; started < 2 * QUEUES; started++) {
        users[started].queue = queues[started % QUEUES];
        users[started].plan = plan;
        users[started].failed = false;
        if (pthread_create(&threads[started], NULL, use, &users[started]) != 0)
            break;
    }
    CHECK(started == 2 * QUEUES);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < started; i++)
        CHECK(!users[i].failed);
    for (int i = 0; i < QUEUES; i++)
        weft_queue_destroy(&queues[i]);
    weft_plan_destroy(&plan);
}

/* Whether the device has all that the tests run: a build may have left kernels out. */
static bool can_plan(weft_device *device) {
    static const char *const texts[] = {"invert", "reduce=sum"};
    bool can = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_plan *plan = plan_of(device, texts[i]);
        can = can && plan;
        weft_plan_destroy(&plan);
    }
    return can;
}

static void test(weft_device *device) {
    if (!can_plan(device))
        return;
    test_order(device);
    test_memory(device);
    test_failures(device);
    test_refusals(device);
    test_numbers(device);
    test_threads(device);
}

int main(int argc, char **argv) {
    run_on_every_device(argc, argv, test);
    return check_done("queue");
}
