/* SPDX-License-Identifier: MIT
 * Runs that are cancelled: their caller is asked by the work done, however many filters are joined in one pass. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

struct asked {
    int calls, most; /* most: calls after which the run is cancelled */
    double first;    /* the part done at the first call */
};

static bool stop(void *user, double done) {
    struct asked *asked = user;
    if (asked->calls++ == 0)
        asked->first = done;
    return asked->calls < asked->most;
}

/* `count` bilaterals in one pass: the first row of the result needs hundreds of rows of each. */
static weft_plan *plan_of(weft_device *device, int count, const char *filter, const weft_image_info *info) {
    char text[2048] = "";
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    for (int i = 0; i < count; i++) {
        strcat(text, i ? "," : "");
        strcat(text, filter);
    }
    weft_plan_options options = {.inputs = info, .input_count = 1};
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK &&
          weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK);
    weft_graph_destroy(&graph);
    return plan;
}

static void test_one(int32_t threads, int count, const char *filter, int64_t side) {
    weft_device_options options = {.threads = threads};
    weft_device *device = NULL;
    weft_image_info info = {.width = side, .height = side, .format = {WEFT_U8, 3}};
    size_t size = (size_t)(side * side * 3);
    unsigned char *pixels = malloc(2 * size);
    CHECK(weft_device_open("cpu", &options, &device, NULL) == WEFT_OK && pixels);
    for (size_t i = 0; pixels && i < size; i++)
        pixels[i] = (unsigned char)(i * 2654435761u >> 13);
    weft_plan *plan = plan_of(device, count, filter, &info);
    CHECK(weft_plan_passes(plan) == 1);
    weft_run_input input = {.image = {.info = info, .data = pixels, .stride = (ptrdiff_t)side * 3}};
    weft_run_output output = {.image = {.info = info, .data = pixels + size, .stride = (ptrdiff_t)side * 3}};
    struct asked asked = {.most = 2};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1,
                    .progress = stop, .progress_user = &asked};
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_CANCELLED);
    /* It was asked before a row was there, and not again after it had said no. */
    CHECK(asked.first == 0);
    CHECK(asked.calls == 2);
    /* The plan's memory serves the next run. */
    asked = (struct asked){.most = 1};
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_CANCELLED && asked.calls == 1);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    free(pixels);
}

/* A run that was cancelled leaves nothing behind that a later one could see. */
static void test_after(void) {
    enum { SIDE = 90, SIZE = SIDE * SIDE * 3 };
    static unsigned char from[SIZE], to[3][SIZE];
    weft_image_info info = {.width = SIDE, .height = SIDE, .format = {WEFT_U8, 3}};
    weft_device *device = NULL;
    CHECK(weft_device_open("cpu", NULL, &device, NULL) == WEFT_OK);
    for (int i = 0; i < SIZE; i++)
        from[i] = (unsigned char)((unsigned)i * 2654435761u >> 13);
    weft_plan *plan = plan_of(device, 4, "bilateral=3", &info);
    for (int i = 0; i < 3; i++) {
        struct asked asked = {.most = i == 1 ? 1 : 1 << 30};
        weft_run_input input = {.image = {.info = info, .data = from, .stride = SIDE * 3}};
        weft_run_output output = {.image = {.info = info, .data = to[i], .stride = SIDE * 3}};
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1,
                        .progress = stop, .progress_user = &asked};
        CHECK(weft_plan_run(plan, &run, NULL) == (i == 1 ? WEFT_ERROR_CANCELLED : WEFT_OK));
    }
    CHECK(memcmp(to[0], to[2], SIZE) == 0);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

/* Filters of the whole image are made between two walks: their caller is asked there, too, before a row of the next is done. */
static void test_whole(const char *filter, int32_t threads) {
    enum { SIDE = 90 };
    static unsigned char from[SIDE * SIDE], to[SIDE * SIDE];
    const weft_image_info info = {.width = SIDE, .height = SIDE, .format = {WEFT_U8, 1}};
    const weft_device_options options = {.threads = threads};
    weft_device *device = NULL;
    for (int i = 0; i < SIDE * SIDE; i++)
        from[i] = (unsigned char)((unsigned)i * 2654435761u >> 13);
    CHECK(weft_device_open("cpu", &options, &device, NULL) == WEFT_OK);
    weft_plan *plan = plan_of(device, 1, filter, &info);
    weft_run_input input = {.image = {.info = info, .data = from, .stride = SIDE}};
    weft_run_output output = {.image = {.info = info, .data = to, .stride = SIDE}};
    struct asked asked = {.most = 1};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1,
                    .progress = stop, .progress_user = &asked};
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_CANCELLED && asked.calls == 1 && asked.first == 0);
    asked = (struct asked){.most = 1 << 30};
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_OK && asked.calls > 0);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

int main(void) {
    for (int32_t threads = 1; threads <= 2; threads++) {
        test_whole("distance_transform", threads);
        test_whole("component_labels", threads);
        test_whole("hysteresis", threads);
    }
    test_one(1, 40, "bilateral=10:0.2", 600);
    test_one(2, 40, "bilateral=10:0.2", 600);
    test_one(2, 1, "bilateral=200:0.2", 1200); /* one row takes longer than a caller waits */
    test_after();
    return check_done("cancel");
}
