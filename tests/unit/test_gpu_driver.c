/* SPDX-License-Identifier: MIT
 * The drivers of GPUs, each with what this machine has: memory, copies, launches, queues, and what they say when they
 * cannot. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "backend/gpu/device/kernel_cache.h"
#include "base/memory.h"
#include "driver_bench.h"
#include "weft/weft.h"

static int skipped;

/* Up, across, partly cleared, down; on each queue. */
static void test_copies(struct bench *bench) {
    const size_t size = 4096, half = size / 2;
    unsigned char expected[4096];
    if (!make_memory(bench, 2 * size))
        return;
    for (int queue = 0; queue < GPU_QUEUES; queue++) {
        fill(bench->staging.host, size, 7 + (unsigned)queue);
        memcpy(expected, bench->staging.host, size);
        memset(expected + 100, 0, 200);
        memset(bench->staging.host + size, 0xee, size);
        struct gpu_command commands[] = {copy(&bench->staging, 0, &bench->device_memory, 64, size),
                                         copy(&bench->device_memory, 64, &bench->second, 0, half),
                                         copy(&bench->device_memory, 64 + half, &bench->second, half, half),
                                         clear(&bench->second, 100, 200),
                                         copy(&bench->second, 0, &bench->staging, size, size)};
        commands[2].beside = true;
        CHECK(run_list(bench, (enum gpu_queue)queue, commands, 5));
        CHECK(memcmp(bench->staging.host + size, expected, size) == 0);
    }
    CHECK(run_list(bench, GPU_QUEUE_COMPUTE, NULL, 0)); /* nothing to do is fine */
    drop(bench);
}

/* u8 to f32, to f16, to u16 and back to u8: the same bytes. Folded into the pipeline, and read from the launch. */
static void test_launches(struct bench *bench, bool folded) {
    const size_t bytes = WIDTH * HEIGHT * 3, place = 16384;
    static const int types[] = {TYPE_U8, TYPE_F32, TYPE_F16, TYPE_U16, TYPE_U8};
    struct gpu_command commands[6];
    weft_error error = {0};
    if (!make_memory(bench, 4 * place))
        return;
    CHECK(weft_gpu_kernels[row_of("point")].name);
    fill(bench->staging.host, place, 3);
    commands[0] = copy(&bench->staging, 0, &bench->device_memory, 0, place);
    for (size_t i = 0; i < 4; i++) {
        const struct gpu_launch *known = folded ? launch_of(bench, i) : NULL;
        const struct gpu_kernel *kernel;
        uint64_t from = (i % 2 ? bench->second : bench->device_memory).address;
        uint64_t to = (i % 2 ? bench->device_memory : bench->second).address;
        set_launch(launch_of(bench, i), from, types[i], to, types[i + 1]);
        launch_of(bench, i)->blocks = bench->launches.address;
        if (!CHECK((kernel = use_kernel(bench, known, &error)) != NULL)) {
            fprintf(stderr, "%s\n", error.message);
            drop(bench);
            return;
        }
        CHECK(use_kernel(bench, known, &error) == kernel);
        CHECK(bench->driver->kernel_occupancy(bench->device, kernel) > 0);
        commands[i + 1] = launch_at(bench, kernel, i);
    }
    commands[5] = copy(&bench->device_memory, 0, &bench->staging, place, (bytes + 3) / 4 * 4);
    CHECK(run_list(bench, GPU_QUEUE_COMPUTE, commands, 6));
    CHECK(memcmp(bench->staging.host, bench->staging.host + place, bytes) == 0);

    /* A launch is read when it is submitted: fewer rows the second time. */
    struct gpu_list *list = NULL;
    struct gpu_point done;
    struct gpu_command two[] = {clear(&bench->second, 0, place), commands[1],
                                copy(&bench->second, 0, &bench->staging, place, place)};
    CHECK(bench->driver->list_create(bench->device, GPU_QUEUE_COMPUTE, two, 3, &list, &error) == WEFT_OK);
    for (int rows = HEIGHT; list && rows >= 0; rows -= 6) {
        const float *result = (const float *)(const void *)(bench->staging.host + place);
        bool right = true;
        launch_of(bench, 0)->to_y = rows;
        CHECK(bench->driver->submit(bench->device, list, NULL, 0, NULL, &done, &error) == WEFT_OK);
        CHECK(bench->driver->wait(bench->device, done, &error) == WEFT_OK);
        for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
            float expected = i / (WIDTH * 3) < rows ? (float)bench->staging.host[i] / 255.0f : 0.0f;
            right = right && result[i] > expected - 1e-6f && result[i] < expected + 1e-6f;
        }
        CHECK(right);
    }
    bench->driver->list_destroy(bench->device, list);
    drop(bench);
}

/* A copy of u8 by a kernel made for a border that it does not use: one of as many kernels as wanted. */
static bool run_kernel(struct bench *bench, const struct gpu_kernel *kernel, unsigned seed) {
    const size_t place = 16384, bytes = WIDTH * HEIGHT * 3;
    fill(bench->staging.host, place, seed);
    struct gpu_command commands[] = {copy(&bench->staging, 0, &bench->device_memory, 0, place),
                                     launch_at(bench, kernel, 0),
                                     copy(&bench->second, 0, &bench->staging, place, place)};
    return run_list(bench, GPU_QUEUE_COMPUTE, commands, 3) &&
           CHECK(memcmp(bench->staging.host, bench->staging.host + place, bytes) == 0);
}

/* Kernels without users are kept for a while, not for ever; those with users for as long as they have them. Software takes half a
 * second to compile one: where WEFT_TEST_CASES asks for a few cases all are kept. */
#define MANY (GPU_KERNELS_KEPT + 6)
static void test_kernels(struct bench *bench) {
    const struct gpu_device_base *base = (const struct gpu_device_base *)(const void *)bench->device;
    const struct gpu_driver *driver = bench->driver;
    const struct gpu_kernel *kernels[MANY] = {NULL}, *again = NULL;
    int32_t row = row_of("copy"), before = base->kernel_count, many = getenv("WEFT_TEST_CASES") ? 6 : MANY;
    bool good = true;
    if (!make_memory(bench, 32768))
        return;
    struct gpu_launch *launch = (struct gpu_launch *)(void *)bench->launches.host;
    set_launch(launch, bench->device_memory.address, TYPE_U8, bench->second.address, TYPE_U8);
    launch->blocks = bench->launches.address;
    launch->point.pieces = (WIDTH * 3 + 15) / 16; /* the kernel that compiles soonest copies rows of bytes */
    launch->point.rest = WIDTH * 3 % 16;
    launch->point.aligned = 0;
    struct gpu_launch known = *launch;
    const struct gpu_wanted wanted = {.launch = &known};
    for (int32_t i = 0; good && i < many; i++) {
        known.border = i;
        good = CHECK(driver->kernel_get(bench->device, row, &wanted, &kernels[i], NULL) == WEFT_OK);
    }
    good = good && run_kernel(bench, kernels[0], 1) && run_kernel(bench, kernels[many - 1], 2);
    for (int32_t i = 1; i < many; i++)
        if (kernels[i])
            driver->kernel_release(bench->device, kernels[i]);
    CHECK(base->kernel_count >= 1 && base->kernel_count - before <= GPU_KERNELS_KEPT + 1);
    good = good && run_kernel(bench, kernels[0], 3);
    for (int32_t i = many - 1; good && i > 0; i -= many - 2) { /* kept, dropped */
        known.border = i;
        good = CHECK(driver->kernel_get(bench->device, row, &wanted, &again, NULL) == WEFT_OK) &&
               CHECK((i == 1 && many == MANY) || again == kernels[i]) && run_kernel(bench, again, (unsigned)i);
        if (again)
            driver->kernel_release(bench->device, again);
    }
    if (kernels[0])
        driver->kernel_release(bench->device, kernels[0]);
    CHECK(base->kernel_count >= 1 && base->kernel_count - before <= GPU_KERNELS_KEPT);
    drop(bench);
}

/* A kernel that stores its result, and nothing else, is not the one that runs programs. */
static void test_forms(struct bench *bench) {
    const struct gpu_kernel *kernels[3] = {NULL};
    struct gpu_launch launch;
    int32_t row = row_of("move");
    set_launch(&launch, 256, TYPE_U8, 512, TYPE_F16);
    for (int i = 0; i < 3; i++) {
        launch.reduce_count = i == 1;
        CHECK(bench->driver->kernel_get(bench->device, row, &(struct gpu_wanted){.launch = &launch}, &kernels[i], NULL) == WEFT_OK);
    }
    CHECK(kernels[0] && kernels[0] == kernels[2] && kernels[0] != kernels[1]);
    for (int i = 0; i < 3; i++)
        if (kernels[i])
            bench->driver->kernel_release(bench->device, kernels[i]);
}

/* Up, kernel, down on three queues, round and round, with nothing but points in between. */
static void test_queues(struct bench *bench) {
    const size_t place = 16384, bytes = WIDTH * HEIGHT * 3;
    struct gpu_list *lists[3][2] = {{NULL}};
    struct gpu_point up = {0}, done[2] = {{0}}, down[2] = {{0}};
    const struct gpu_kernel *kernel = NULL;
    weft_error error = {0};
    bool good = true;
    if (!make_memory(bench, 8 * place))
        return;
    for (size_t i = 0; i < 2; i++) {
        uint64_t first = bench->device_memory.address + 2 * i * place;
        set_launch(launch_of(bench, i), first, TYPE_U8, first + place, TYPE_U8);
        launch_of(bench, i)->blocks = bench->launches.address;
        CHECK((kernel = use_kernel(bench, launch_of(bench, i), &error)) != NULL);
        struct gpu_command commands[] = {
            copy(&bench->staging, i * place, &bench->device_memory, 2 * i * place, place), launch_at(bench, kernel, i),
            copy(&bench->device_memory, (2 * i + 1) * place, &bench->staging, (4 + i) * place, place)};
        static const enum gpu_queue queues[] = {GPU_QUEUE_UPLOAD, GPU_QUEUE_COMPUTE, GPU_QUEUE_DOWNLOAD};
        for (int k = 0; k < 3; k++)
            good = good && kernel &&
                   CHECK(bench->driver->list_create(bench->device, queues[k], &commands[k], 1, &lists[k][i], &error) ==
                         WEFT_OK);
    }
    for (unsigned turn = 0; good && turn < 60; turn++) {
        unsigned i = turn % 2;
        good = bench->driver->wait(bench->device, down[i], &error) == WEFT_OK;
        if (turn >= 2)
            good = good &&
                   CHECK(memcmp(bench->staging.host + i * place, bench->staging.host + (4 + i) * place, bytes) == 0);
        fill(bench->staging.host + i * place, place, turn);
        struct gpu_point before[] = {down[i], done[i]};
        good = good && bench->driver->submit(bench->device, lists[0][i], &done[i], 1, NULL, &up, &error) == WEFT_OK;
        before[1] = up;
        good = good && bench->driver->submit(bench->device, lists[1][i], before, 2, NULL, &done[i], &error) == WEFT_OK;
        good =
            good && bench->driver->submit(bench->device, lists[2][i], &done[i], 1, NULL, &down[i], &error) == WEFT_OK;
    }
    CHECK(good);
    for (int i = 0; i < 2; i++)
        CHECK(bench->driver->wait(bench->device, down[i], &error) == WEFT_OK);
    for (int k = 0; k < 6; k++)
        bench->driver->list_destroy(bench->device, lists[k / 2][k % 2]);
    drop(bench);
}

/* A list sees what the one before it on its queue wrote, without any point; points of value 0 are past. */
static void test_order(struct bench *bench) {
    struct gpu_list *first = NULL, *second = NULL;
    struct gpu_point done = {0}, none = {GPU_QUEUE_DOWNLOAD, 0};
    weft_error error;
    bool right = true;
    if (!make_memory(bench, 4096))
        return;
    struct gpu_command up = copy(&bench->staging, 0, &bench->device_memory, 0, 2048);
    struct gpu_command down[] = {copy(&bench->device_memory, 0, &bench->staging, 2048, 2048),
                                 clear(&bench->device_memory, 0, 2048)};
    CHECK(bench->driver->list_create(bench->device, GPU_QUEUE_COMPUTE, &up, 1, &first, &error) == WEFT_OK);
    CHECK(bench->driver->list_create(bench->device, GPU_QUEUE_COMPUTE, down, 2, &second, &error) == WEFT_OK);
    CHECK(bench->driver->wait(bench->device, none, &error) == WEFT_OK);
    uint64_t last = 0;
    for (unsigned i = 0; first && second && i < 500; i++) {
        fill(bench->staging.host, 2048, i);
        right = right && bench->driver->submit(bench->device, first, &none, 1, NULL, &done, &error) == WEFT_OK &&
                done.value > last;
        last = done.value;
        right = right && bench->driver->submit(bench->device, second, NULL, 0, NULL, &done, &error) == WEFT_OK &&
                done.value > last;
        last = done.value;
        right = right && bench->driver->wait(bench->device, done, &error) == WEFT_OK &&
                memcmp(bench->staging.host, bench->staging.host + 2048, 2048) == 0;
    }
    CHECK(right);
    bench->driver->list_destroy(bench->device, first);
    bench->driver->list_destroy(bench->device, second);
    bench->driver->list_destroy(bench->device, NULL);
    drop(bench);
}

static void test_refusals(struct bench *bench) {
    struct gpu_memory memory;
    weft_error error = {0};
    for (int kind = GPU_MEMORY_DEVICE; kind <= GPU_MEMORY_STAGING; kind++)
        for (int i = 0; i < 2; i++) {
            CHECK(bench->driver->memory_create(bench->device, (enum gpu_memory_kind)kind, SIZE_MAX >> (i ? 12 : 0),
                                               &memory, &error) == WEFT_ERROR_MEMORY);
            CHECK(!memory.handle && !memory.address && !memory.host && strstr(error.message, "out of memory"));
        }
    CHECK(bench->driver->memory_create(bench->device, GPU_MEMORY_DEVICE, SIZE_MAX, &memory, NULL) == WEFT_ERROR_MEMORY);
    bench->driver->memory_destroy(bench->device, &memory);
    CHECK(bench->driver->memory_create(bench->device, GPU_MEMORY_DEVICE, 4, &memory, &error) == WEFT_OK);
    bench->driver->memory_destroy(bench->device, &memory);
}

/* Several threads at one device, each with memory and lists of its own, all with the same kernels. */
static void *work(void *user) {
    struct bench bench = *(const struct bench *)user;
    const size_t place = 16384, bytes = WIDTH * HEIGHT * 3;
    bool *good = weft_allocate(1, sizeof *good);
    static const enum gpu_memory_kind kinds[] = {GPU_MEMORY_DEVICE, GPU_MEMORY_DEVICE, GPU_MEMORY_STAGING,
                                                 GPU_MEMORY_LAUNCH};
    struct gpu_list *list = NULL;
    struct gpu_point done;
    struct gpu_launch known;
    const struct gpu_kernel *kernel = NULL;
    if (!good)
        return NULL;
    *good = true;
    for (int i = 0; i < 4; i++)
        *good = *good &&
                bench.driver->memory_create(bench.device, kinds[i], 2 * place, all_memory(&bench, i), NULL) == WEFT_OK;
    for (int type = TYPE_U8; *good && type <= TYPE_F32; type++) {
        struct gpu_command commands[] = {copy(&bench.staging, 0, &bench.device_memory, 0, place),
                                         {0},
                                         {0},
                                         copy(&bench.device_memory, place, &bench.staging, place, place)};
        for (size_t i = 0; i < 2; i++) {
            set_launch(launch_of(&bench, i), i ? bench.second.address : bench.device_memory.address, i ? type : TYPE_U8,
                       i ? bench.device_memory.address + place : bench.second.address, i ? TYPE_U8 : type);
            launch_of(&bench, i)->blocks = bench.launches.address;
            known = *launch_of(&bench, i);
            *good = *good && (kernel = use_kernel(&bench, &known, NULL)) != NULL;
            commands[1 + i] = launch_at(&bench, kernel, i);
        }
        *good =
            *good && bench.driver->list_create(bench.device, GPU_QUEUE_COMPUTE, commands, 4, &list, NULL) == WEFT_OK;
        for (unsigned turn = 0; *good && turn < 20; turn++) {
            fill(bench.staging.host, place, turn);
            *good = bench.driver->submit(bench.device, list, NULL, 0, NULL, &done, NULL) == WEFT_OK &&
                    bench.driver->wait(bench.device, done, NULL) == WEFT_OK &&
                    memcmp(bench.staging.host, bench.staging.host + place, bytes) == 0;
            if (turn % 4 == 0) { /* others come and go: of the kernel that compiles soonest */
                known.border = 1000 + 5 * type + (int32_t)turn / 4;
                *good = *good && bench.driver->kernel_get(bench.device, row_of("copy"), &(struct gpu_wanted){.launch = &known},
                                                          &kernel, NULL) == WEFT_OK;
                if (*good)
                    bench.driver->kernel_release(bench.device, kernel);
            }
        }
        bench.driver->list_destroy(bench.device, list);
        list = NULL;
    }
    drop(&bench);
    return good;
}

static void test_threads(struct bench *bench) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (!CHECK(pthread_create(&threads[i], NULL, work, bench) == 0))
            threads[i] = pthread_self();
    for (int i = 0; i < 4; i++) {
        void *good = NULL;
        if (!pthread_equal(threads[i], pthread_self()))
            pthread_join(threads[i], &good);
        CHECK(good && *(const bool *)good);
        weft_free(good);
    }
}

int main(void) {
    static const char *const names[] = {"vulkan", "cuda"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        weft_device *opened = NULL;
        weft_error error = {0};
        weft_device_info info;
        if (weft_device_open(names[i], NULL, &opened, &error) != WEFT_OK) {
            printf("%s: %s\n", names[i], error.message);
            CHECK(error.message[0]);
            skipped++;
            continue;
        }
        weft_device_describe(opened, &info);
        CHECK(strcmp(info.backend, names[i]) == 0 && info.name[0] && info.available);
        struct bench bench = {.device = (struct gpu_device *)(void *)opened};
        const struct gpu_device_base *base = (const struct gpu_device_base *)(const void *)opened;
        bench.driver = base->driver;
        CHECK(base->limits.memory > 0 && base->limits.largest > 0 && base->limits.multiprocessors >= 1);
        CHECK(base->limits.grid[0] >= 65535 && base->limits.grid[1] >= 65535 && base->limits.grid[2] >= 1);
        test_copies(&bench);
        test_launches(&bench, true);
        test_launches(&bench, false);
        test_kernels(&bench);
        test_forms(&bench);
        test_queues(&bench);
        test_order(&bench);
        test_refusals(&bench);
        test_threads(&bench);
        weft_device_close(&opened);
    }
    if (skipped)
        printf("test_gpu_driver: %d skipped\n", skipped);
    return check_done("test_gpu_driver");
}
