/* SPDX-License-Identifier: MIT
 * Runs graph text on numbers, for tests that know what must come out. For programs of one source file. */
#ifndef RUN_GRAPH_H
#define RUN_GRAPH_H
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

enum { RUN_INPUTS = 2 };

/* The first output of a graph as packed pixels, to be freed; NULL and a failed check when there is none. `type` is its
 * component type, 0 for that of the first input (or F64 for a reduction's numbers); *info becomes what it is. */
static inline void *run_graph(weft_device *device, const char *text, const weft_image_info *infos, void *const *pixels,
                              int32_t inputs, weft_type type, weft_image_info *info) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_image_info unused;
    weft_run_input run_inputs[RUN_INPUTS] = {0};
    weft_run_output output = {0};
    weft_plan_options options = {.inputs = infos, .input_count = inputs, .output_types = &type, .output_type_count = 1};
    weft_run run = {.inputs = run_inputs, .input_count = inputs, .outputs = &output, .output_count = 1};
    size_t size = 0;
    if (!info)
        info = &unused;
    for (int32_t i = 0; i < inputs; i++)
        run_inputs[i].image =
            (weft_image){.info = infos[i],
                         .data = pixels[i],
                         .stride = (ptrdiff_t)(infos[i].width * (int64_t)weft_format_size(infos[i].format))};
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_plan_output_info(plan, 0, info, &error) == WEFT_OK &&
              weft_image_size(info, &size, &error) == WEFT_OK;
    output.image = (weft_image){
        .info = *info, .data = ok ? malloc(size) : NULL, .stride = ok ? (ptrdiff_t)(size / (size_t)info->height) : 0};
    ok = ok && output.image.data && weft_plan_run(plan, &run, &error) == WEFT_OK;
    if (!ok) {
        fprintf(stderr, "%s: %s\n", text, error.message);
        free(output.image.data);
        output.image.data = NULL;
    }
    CHECK(ok);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return output.image.data;
}

/* One f32 image in, one f32 image out. */
static inline float *run_floats(weft_device *device, const char *text, int64_t width, int64_t height, int32_t channels,
                                const float *pixels) {
    weft_image_info info = {.width = width,
                            .height = height,
                            .format = {WEFT_F32, channels},
                            .alpha = channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT};
    return run_graph(device, text, &info, (void *[]){(void *)(uintptr_t)pixels}, 1, WEFT_F32, NULL);
}

/* One u8 plane in, one out. */
static inline unsigned char *run_bytes(weft_device *device, const char *text, int64_t width, int64_t height,
                                       const unsigned char *pixels) {
    weft_image_info info = {.width = width, .height = height, .format = {WEFT_U8, 1}};
    return run_graph(device, text, &info, (void *[]){(void *)(uintptr_t)pixels}, 1, 0, NULL);
}

/* Calls a test on the reference and on the processor, or on the device that the command line names. */
static inline void run_on_devices(int argc, char **argv, void (*test)(weft_device *device)) {
    static const char *const names[] = {"reference", "cpu"};
    for (int i = 0; i < (argc > 1 ? 1 : 2); i++) {
        weft_device *device = NULL;
        weft_error error = {0};
        const char *name = argc > 1 ? argv[1] : names[i];
        if (!CHECK(weft_device_open(name, NULL, &device, &error) == WEFT_OK)) {
            fprintf(stderr, "%s: %s\n", name, error.message);
            continue;
        }
        int before = check_failed;
        test(device);
        if (check_failed > before)
            fprintf(stderr, "(on device %s)\n", name);
        weft_device_close(&device);
    }
}

/* The same on the processor and on every GPU that is there, software ones included, or on the device that is named. */
static inline void run_on_every_device(int argc, char **argv, void (*test)(weft_device *device)) {
    weft_device_info each;
    const char *last = "";
    int number = 0;
    if (argc > 1)
        run_on_devices(argc, argv, test);
    for (int32_t i = 0; argc < 2 && weft_device_at(i, &each); i++) {
        char name[64];
        number = strcmp(each.backend, last) == 0 ? number + 1 : 0;
        last = each.backend;
        snprintf(name, sizeof name, "%s:%d", each.backend, number);
        if (each.available &&
            (strncmp(name, "cpu", 3) == 0 || strncmp(name, "cuda", 4) == 0 || strncmp(name, "vulkan", 6) == 0))
            run_on_devices(2, (char *[]){argv[0], name, NULL}, test);
    }
}

#endif
