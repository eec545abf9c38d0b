/* SPDX-License-Identifier: MIT
 * Images of bytes anywhere in a buffer of a device's memory, and runs from one to another: for tests of kernels that
 * take rows as they lie. */
#ifndef TESTS_GPU_BUFFER_H
#define TESTS_GPU_BUFFER_H
#include <stdint.h>
#include <string.h>
#include "weft/weft.h"

/* Copies `size` bytes to a buffer, *memory, which the caller destroys; *image is `width` x `height` in it, from byte
 * `before` on and `row` bytes from one row to the next. */
static bool upload_bytes(weft_device *device, const unsigned char *bytes, size_t size, size_t before, int width,
                         int height, int channels, int row, weft_image *memory, weft_image *image, weft_error *error) {
    const weft_image_info info = {.width = (int64_t)size, .height = 1, .format = {WEFT_U8, 1}};
    weft_image host = {.info = info, .data = (void *)(uintptr_t)bytes, .stride = (ptrdiff_t)size};
    if (weft_memory_create(device, &info, memory, error) != WEFT_OK ||
        weft_image_copy(device, &host, memory, error) != WEFT_OK)
        return false;
    *image = (weft_image){.info = {.width = width, .height = height, .format = {WEFT_U8, channels}},
                          .stride = row,
                          .memory = memory->memory};
    bool vulkan = memory->memory == WEFT_MEMORY_VULKAN;
    image->data = vulkan ? memory->data : (char *)memory->data + before;
    image->offset = vulkan ? memory->offset + before : 0;
    return true;
}

/* Runs the graph from one image to the other. */
static bool run_between(weft_device *device, const char *text, const weft_image *in, const weft_image *out,
                        weft_error *error) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_plan_options options = {.inputs = &in->info, .input_count = 1};
    weft_run_input input = {.image = *in};
    weft_run_output output = {.image = *out};
    weft_run request = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    bool good = weft_graph_parse(text, strlen(text), &graph, error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, error) == WEFT_OK &&
                weft_plan_run(plan, &request, error) == WEFT_OK;
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return good;
}

#endif
