/* SPDX-License-Identifier: MIT
 * One plan on a GPU, a thousand runs with parameters changed between them: the pictures are the processor's, and the library
 * allocates nothing. test_gpu_runs [DEVICE]. The build sends all allocations of the library through here. */
#include <stdlib.h>
#include <string.h>
#include "gpu_devices.h"
#include "weft/weft.h"

enum { WIDTH = 67, HEIGHT = 45, CHANNELS = 3, SIZE = WIDTH * HEIGHT * CHANNELS, RUNS = 1000 };

static long allocations;

void *__real_weft_allocate(size_t count, size_t size);
void *__real_weft_allocate_aligned(size_t size);
void *__real_weft_reallocate(void *memory, size_t count, size_t size);
void *__wrap_weft_allocate(size_t count, size_t size);
void *__wrap_weft_allocate_aligned(size_t size);
void *__wrap_weft_reallocate(void *memory, size_t count, size_t size);

void *__wrap_weft_allocate(size_t count, size_t size) {
    allocations++;
    return __real_weft_allocate(count, size);
}
void *__wrap_weft_allocate_aligned(size_t size) {
    allocations++;
    return __real_weft_allocate_aligned(size);
}
void *__wrap_weft_reallocate(void *memory, size_t count, size_t size) {
    allocations++;
    return __real_weft_reallocate(memory, count, size);
}

static const char graph_text[] = "brightness=0.1,gaussian=2.5,contrast=1.2,average_luminance_threshold";
static const char blur_text[] = "brightness=0.1,gaussian=2.5,contrast=1.2,levels,sobel";

struct side {
    weft_device *device;
    weft_plan *plan;
    weft_parameters *parameters;
    weft_image_info info;
    unsigned char out[SIZE];
};

static bool open_side(struct side *side, const char *name, const weft_graph *graph, weft_error *error) {
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    return weft_device_open(name, NULL, &side->device, error) == WEFT_OK &&
           weft_plan_create(side->device, graph, &options, &side->plan, error) == WEFT_OK &&
           weft_plan_output_info(side->plan, 0, &side->info, error) == WEFT_OK &&
           weft_parameters_create(side->plan, &side->parameters, error) == WEFT_OK;
}

static void close_side(struct side *side) {
    weft_parameters_destroy(&side->parameters);
    weft_plan_destroy(&side->plan);
    weft_device_close(&side->device);
}

/* Nodes 1 and 3 of the graph are the brightness and the contrast; 0 is the input. */
static bool run(struct side *side, unsigned char *pixels, int number, void *workspace, size_t size, weft_error *error) {
    double brightness = (number % 41 - 20) / 50.0, contrast = 0.5 + number % 17 * 0.1;
    weft_run_input input = {.image = {.info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}},
                                      .data = pixels,
                                      .stride = WIDTH * CHANNELS}};
    weft_run_output output = {.image = {.info = side->info,
                                        .data = side->out,
                                        .stride = (ptrdiff_t)(side->info.width * side->info.format.channels)}};
    weft_run request = {.inputs = &input,
                        .input_count = 1,
                        .outputs = &output,
                        .output_count = 1,
                        .parameters = side->parameters,
                        .workspace = workspace,
                        .workspace_size = size};
    return weft_parameters_set(side->parameters, 1, "brightness", &brightness, 1, error) == WEFT_OK &&
           weft_parameters_set(side->parameters, 3, "contrast", &contrast, 1, error) == WEFT_OK &&
           weft_plan_run(side->plan, &request, error) == WEFT_OK;
}

/* Thresholds may fall to either side of a pixel that lies on them; other pictures agree to a step. */
static void compare(const struct side *a, const struct side *b, bool threshold, int number) {
    size_t size = (size_t)(a->info.width * a->info.height * a->info.format.channels), far = 0;
    for (size_t i = 0; i < size; i++)
        far += abs(a->out[i] - b->out[i]) > 1;
    if (!CHECK(threshold ? far <= size / 100 : far == 0))
        fprintf(stderr, "run %d: %zu of %zu components differ\n", number, far, size);
}

static void try_graph(const char *name, const char *text, int runs, bool threshold) {
    if (!has_turn())
        return;
    struct side gpu = {0}, cpu = {0};
    weft_graph *graph = NULL;
    weft_error error = {0};
    unsigned char pixels[SIZE];
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK && open_side(&gpu, name, graph, &error) &&
              open_side(&cpu, "cpu", graph, &error);
    size_t size = ok ? weft_plan_workspace_size(gpu.plan) : 0;
    void *workspace = ok ? aligned_alloc(64, (size + 64) / 64 * 64) : NULL;
    for (int i = 0; i < SIZE; i++)
        pixels[i] = (unsigned char)(i * 7919 % 251);
    ok = ok && run(&gpu, pixels, 0, workspace, size, &error); /* the first may open what the driver opens late */
    long before = allocations;
    for (int number = 1; ok && number <= runs; number++) {
        ok = run(&gpu, pixels, number, workspace, size, &error);
        long during = allocations - before;
        if (ok && number % 50 == 0) {
            CHECK(during == 0);
            ok = run(&cpu, pixels, number, NULL, 0, &error);
            if (ok)
                compare(&gpu, &cpu, threshold, number);
            before = allocations;
        }
    }
    if (!CHECK(ok))
        fprintf(stderr, "%s on %s: %s\n", text, name, error.message);
    free(workspace);
    close_side(&gpu);
    close_side(&cpu);
    weft_graph_destroy(&graph);
}

static void try_gpu(weft_device *device, const char *name) {
    (void)device;
    try_graph(name, blur_text, RUNS, false);
    try_graph(name, graph_text, RUNS / 5, true);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_runs", argc, argv, try_gpu); }
