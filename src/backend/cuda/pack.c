/* SPDX-License-Identifier: MIT
 * Devices that only compile: with the limits of what they stand for; and packs of what they compiled. */
#include "backend/cuda/pack.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "backend/gpu/gpu.h"
#include "backend/gpu/run/values.h"
#include "base/memory.h"
#include "base/status.h"

/* What a block may have of shared memory where a launch asks for it, by NVIDIA's table of compute capabilities. */
static int32_t launch_bytes_of(int32_t architecture) {
    switch (architecture) {
    case 75:
        return 64 << 10;
    case 80:
    case 87:
        return 163 << 10;
    case 90:
    case 100:
    case 103:
    case 110:
        return 227 << 10;
    default:
        return 99 << 10;
    }
}

static void set_limits(struct packer *packer) {
    packer->base.limits = (struct gpu_limits){
        .memory = (uint64_t)1 << 40,
        .largest = (uint64_t)1 << 40,
        .grid = {INT32_MAX, 65535, 65535},
        .multiprocessors = 1,
        .has_copy_queues = true,
        .interprets = true,
        .has_mma_bytes = true,
        .has_mma_floats = packer->architecture >= 80,
        .block_threads = 1024,
        .block_bytes = 48 << 10,
        .launch_bytes = launch_bytes_of(packer->architecture),
    };
}

/* Some kernels are chosen by how many multiprocessors a GPU has: a plan for each number of some that GPUs have. */
static weft_status compile_plan(weft_device *device, const struct weft_typed_graph *typed, void **compiled, weft_error *error) {
    static const int32_t multiprocessors[] = {14, 20, 28, 36, 46, 58, 72, 84, 108, 132, 148, 170};
    struct packer *packer = weft_cuda_packer_of(device);
    weft_status status = WEFT_OK;
    *compiled = NULL;
    for (size_t i = 0; i < sizeof multiprocessors / sizeof *multiprocessors && status == WEFT_OK; i++) {
        if (*compiled)
            weft_gpu_destroy(*compiled);
        *compiled = NULL;
        packer->base.limits.multiprocessors = multiprocessors[i];
        status = weft_gpu_compile(device, typed, compiled, error);
    }
    return status;
}

static weft_status run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    (void)compiled, (void)request;
    return weft_cuda_packer_no_run(error);
}

static weft_status drain(weft_device *device, weft_error *error) {
    (void)device, (void)error;
    return WEFT_OK;
}

static void close_packer(weft_device *device) {
    struct packer *packer = weft_cuda_packer_of(device);
    weft_gpu_deliveries_destroy(packer->base.deliveries);
    for (struct packed *each = packer->kernels, *next; each; each = next) {
        next = each->next;
        weft_free(each->code);
        weft_free(each);
    }
    weft_cuda_compiler_clear(&packer->compiler);
    weft_cuda_store_close(&packer->store);
    if (packer->has_mutex)
        pthread_mutex_destroy(&packer->mutex);
    weft_free(packer);
}

static void describe(const weft_device *device, weft_device_info *info) {
    const struct packer *packer = (const struct packer *)(const void *)device;
    *info = (weft_device_info){.backend = "cuda", .available = true};
    snprintf(info->name, sizeof info->name, "kernels for compute capability %d.%d", (int)packer->architecture / 10,
             (int)packer->architecture % 10);
    snprintf(info->detail, sizeof info->detail, "compiles, runs nothing");
}

static const struct weft_backend packer_backend = {
    .name = "cuda",
    .close = close_packer,
    .describe = describe,
    .keeps = weft_gpu_keeps,
    .compile = compile_plan,
    .destroy = weft_gpu_destroy,
    .workspace_size = weft_gpu_workspace_size,
    .passes = weft_gpu_passes,
    .can_stream = weft_gpu_can_stream,
    .print = weft_gpu_print,
    .run = run,
    .drain = drain,
};

bool weft_cuda_is_packer(const weft_device *device) {
    return ((const struct weft_device_base *)(const void *)device)->backend == &packer_backend;
}

/* What copies of images take, whatever the graph. */
static weft_status compile_copy(struct packer *packer, weft_error *error) {
    const struct gpu_kernel *kernel;
    int32_t row = 0;
    while (strcmp(weft_gpu_kernels[row].name, "copy") != 0)
        row++;
    return weft_cuda_packer_driver.kernel_get((struct gpu_device *)(void *)packer, row, &(struct gpu_wanted){0}, &kernel, error);
}

static weft_status fill(struct packer *packer, weft_error *error) {
    packer->has_mutex = pthread_mutex_init(&packer->mutex, NULL) == 0;
    if (!packer->has_mutex)
        return weft_fail_memory(error, sizeof packer->mutex, "a mutex");
    weft_cuda_store_folder(&packer->store); /* no pack: it may have code for an earlier architecture */
    weft_status status = weft_cuda_compiler_find(&packer->compiler, 0, error);
    if (status == WEFT_OK)
        status = weft_cuda_compiler_knows(&packer->compiler, packer->architecture, error);
    if (status == WEFT_OK)
        status = weft_gpu_deliveries_create(&packer->base.deliveries, error);
    return status == WEFT_OK ? compile_copy(packer, error) : status;
}

weft_status weft_cuda_packer_open(int32_t architecture, const weft_device_options *options, weft_device **device,
                                  weft_error *error) {
    struct packer *packer = weft_allocate(1, sizeof *packer);
    *device = NULL;
    if (!packer)
        return weft_fail_memory(error, sizeof *packer, "the device");
    packer->base.base.backend = &packer_backend;
    packer->base.base.process = (int64_t)getpid();
    packer->base.driver = &weft_cuda_packer_driver;
    packer->architecture = architecture;
    if (options)
        packer->base.base.log = options->log;
    set_limits(packer);
    weft_status status = fill(packer, error);
    if (status == WEFT_OK)
        *device = (weft_device *)(void *)packer;
    else
        close_packer((weft_device *)(void *)packer);
    return status;
}

weft_status weft_cuda_packers_write(weft_device *const *devices, int32_t count, const char *path, weft_error *error) {
    size_t size = strlen(path) + 48;
    char *part = weft_allocate(size, 1);
    if (!part)
        return weft_fail_memory(error, size, "a path");
    /* Not mkstemp, whose files are private. */
    snprintf(part, size, "%s.%lld-%llx", path, (long long)getpid(), (unsigned long long)(uintptr_t)part);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0;
    for (int32_t i = 0; i < count && good; i++) {
        struct packer *packer = weft_cuda_packer_of(devices[i]);
        pthread_mutex_lock(&packer->mutex);
        for (const struct packed *each = packer->kernels; each && good; each = each->next)
            good = weft_cuda_kernel_write(file, &each->key, each->code, each->size);
        pthread_mutex_unlock(&packer->mutex);
    }
    int reason = errno;
    if (file >= 0 && close(file) != 0 && good)
        good = false, reason = errno;
    if (good && rename(part, path) != 0)
        good = false, reason = errno;
    if (!good && file >= 0)
        unlink(part);
    weft_free(part);
    return good ? WEFT_OK : weft_fail(error, WEFT_ERROR_FILE, "'%.300s' cannot be written: %s", path, strerror(reason));
}
