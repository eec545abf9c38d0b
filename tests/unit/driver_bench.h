/* SPDX-License-Identifier: MIT
 * A GPU's driver with memory, kernels and lists to try it with, for test_gpu_driver.c. */
#ifndef TESTS_DRIVER_BENCH_H
#define TESTS_DRIVER_BENCH_H
#include <string.h>
#include "backend/gpu/driver.h"
#include "check.h"
#include "kernels/gpu/tile/tile.h"

#define WIDTH 37
#define HEIGHT 19

struct bench {
    struct gpu_device *device;
    const struct gpu_driver *driver;
    struct gpu_memory device_memory, second, staging, launches;
    const struct gpu_kernel *kernels[16]; /* in use */
    int kernel_count;
};

static struct gpu_memory *all_memory(struct bench *bench, int i) {
    struct gpu_memory *const all[] = {&bench->device_memory, &bench->second, &bench->staging, &bench->launches};
    return i < 4 ? all[i] : NULL;
}

static bool make_memory(struct bench *bench, size_t size) {
    static const enum gpu_memory_kind kinds[] = {GPU_MEMORY_DEVICE, GPU_MEMORY_DEVICE, GPU_MEMORY_STAGING,
                                                 GPU_MEMORY_LAUNCH};
    bool good = true;
    weft_error error;
    for (int i = 0; i < 4; i++) {
        struct gpu_memory *memory = all_memory(bench, i);
        *memory = (struct gpu_memory){0};
        good = CHECK(bench->driver->memory_create(bench->device, kinds[i], size, memory, &error) == WEFT_OK) && good;
        good = good && CHECK(memory->handle && memory->size == size);
        CHECK((kinds[i] == GPU_MEMORY_DEVICE) == !memory->host);
        CHECK(kinds[i] != GPU_MEMORY_DEVICE || memory->address);
    }
    return good;
}

static int32_t row_of(const char *name) {
    int32_t row = 0;
    while (weft_gpu_kernels[row].name && strcmp(weft_gpu_kernels[row].name, name) != 0)
        row++;
    return row;
}

/* The kernel that only runs programs, until `drop`; NULL with an error. */
static const struct gpu_kernel *use_kernel(struct bench *bench, const struct gpu_launch *known, weft_error *error) {
    const struct gpu_kernel *kernel = NULL;
    if (bench->kernel_count >= (int)(sizeof bench->kernels / sizeof *bench->kernels) ||
        bench->driver->kernel_get(bench->device, row_of("point"), &(struct gpu_wanted){.launch = known}, &kernel, error) != WEFT_OK)
        return NULL;
    return bench->kernels[bench->kernel_count++] = kernel;
}

/* Gives back memory and kernels, after the lists. */
static void drop(struct bench *bench) {
    while (bench->kernel_count > 0)
        bench->driver->kernel_release(bench->device, bench->kernels[--bench->kernel_count]);
    for (int i = 0; i < 4; i++)
        bench->driver->memory_destroy(bench->device, all_memory(bench, i));
}

/* Makes a list, runs it to its end, and drops it. */
static bool run_list(struct bench *bench, enum gpu_queue queue, const struct gpu_command *commands, int32_t count) {
    struct gpu_list *list = NULL;
    struct gpu_point done = {0};
    weft_error error = {0};
    bool good = CHECK(bench->driver->list_create(bench->device, queue, commands, count, &list, &error) == WEFT_OK) &&
                CHECK(bench->driver->submit(bench->device, list, NULL, 0, NULL, &done, &error) == WEFT_OK) &&
                CHECK(done.queue == queue && done.value > 0) &&
                CHECK(bench->driver->wait(bench->device, done, &error) == WEFT_OK);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    bench->driver->list_destroy(bench->device, list);
    return good;
}

static struct gpu_command copy(const struct gpu_memory *from, size_t from_offset, const struct gpu_memory *to,
                               size_t to_offset, size_t size) {
    return (struct gpu_command){
        .kind = GPU_COPY, .from = from, .from_offset = from_offset, .to = to, .to_offset = to_offset, .size = size};
}

static struct gpu_command clear(const struct gpu_memory *to, size_t offset, size_t size) {
    return (struct gpu_command){.kind = GPU_CLEAR, .to = to, .to_offset = offset, .size = size};
}

static void fill(unsigned char *bytes, size_t size, unsigned seed) {
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
}

/* A launch of the kernel that only runs programs: image 0 to image 1. */
static void set_launch(struct gpu_launch *launch, uint64_t from, int from_type, uint64_t to, int to_type) {
    static const int sizes[] = {0, 1, 2, 2, 4};
    const int channels = 3;
    *launch = (struct gpu_launch){.walk = 8,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .to_y = HEIGHT,
                                  .in_width = WIDTH,
                                  .in_height = HEIGHT,
                                  .in_channels = channels,
                                  .in_type = from_type,
                                  .channels = channels,
                                  .store_count = 1};
    launch->image[0] = (struct gpu_image){.first = from,
                                          .pitch = (int64_t)WIDTH * channels * sizes[from_type],
                                          .width = WIDTH,
                                          .height = HEIGHT,
                                          .to_y = HEIGHT,
                                          .type = from_type,
                                          .channels = channels};
    launch->image[1] = launch->image[0];
    launch->image[1].first = to;
    launch->image[1].type = to_type;
    launch->image[1].pitch = (int64_t)WIDTH * channels * sizes[to_type];
    launch->store[0] = (struct gpu_instruction){.op = OP_STORE,
                                                .operands = 0 | (OPERAND_IMAGE + 1) << 8 | 255 << 16,
                                                .shape = channels | channels << 4 | channels << 8 | TYPE_F32 << 12 |
                                                         to_type << 16 | to_type << 20};
}

static struct gpu_launch *launch_of(const struct bench *bench, size_t i) {
    return (struct gpu_launch *)(void *)(bench->launches.host + i * GPU_LAUNCH_STRIDE);
}

static struct gpu_command launch_at(const struct bench *bench, const struct gpu_kernel *kernel, size_t i) {
    return (struct gpu_command){.kind = GPU_LAUNCH,
                                .kernel = kernel,
                                .launch = launch_of(bench, i),
                                .launches = &bench->launches,
                                .launch_offset = i * GPU_LAUNCH_STRIDE,
                                .grid = {(WIDTH + POINT_COLUMNS - 1) / POINT_COLUMNS, (HEIGHT + 7) / 8, 1}};
}

#endif
