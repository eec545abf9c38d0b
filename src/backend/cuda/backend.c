/* SPDX-License-Identifier: MIT
 * The CUDA backend's tables, and its device from opening to closing. */
#include <stdio.h>
#include "backend/cuda/cuda.h"
#include "backend/gpu/device/memory.h"
#include "backend/gpu/run/values.h"
#include "base/memory.h"
#include "base/status.h"

extern const struct weft_backend weft_backend_cuda;

const struct gpu_driver weft_cuda_driver = {
    .name = "cuda",
    .memory = WEFT_MEMORY_CUDA,
    .memory_export = weft_cuda_memory_export,
    .memory_create = weft_cuda_memory_create,
    .memory_destroy = weft_cuda_memory_destroy,
    .kernel_get = weft_cuda_kernel_get,
    .kernel_release = weft_cuda_kernel_release,
    .kernel_occupancy = weft_cuda_kernel_occupancy,
    .list_create = weft_cuda_list_create,
    .list_destroy = weft_cuda_list_destroy,
    .submit = weft_cuda_submit,
    .wait = weft_cuda_wait,
    .import = weft_cuda_import,
};

static bool cuda_at(int32_t index, weft_device_info *info) {
    struct cuda_api api;
    weft_error error;
    CUdevice device;
    int capability;
    *info = (weft_device_info){.backend = "cuda"};
    bool loaded = weft_cuda_load(&api, &error) == WEFT_OK;
    bool there = loaded && weft_cuda_describe(&api, index, &device, &capability, info);
    /* One entry says why there are none. */
    if (!loaded || (!there && index == 0))
        snprintf(info->detail, sizeof info->detail, "%.127s",
                 loaded ? "the NVIDIA driver finds no GPU that it may use" : error.message);
    if (loaded)
        weft_cuda_unload(&api);
    return there || index == 0;
}

static int attribute(const struct gpu_device *device, CUdevice_attribute which, int otherwise) {
    int value = 0;
    return device->api.cuDeviceGetAttribute(&value, which, device->device) == CUDA_SUCCESS && value > 0 ? value
                                                                                                        : otherwise;
}

static void set_limits(struct gpu_device *device, size_t free_memory, size_t memory, uint64_t limit) {
    struct gpu_limits *limits = &device->base.limits;
    limits->memory = free_memory / 10 * 9; /* the rest is left for kernels, launches of other plans and other programs */
    if (limit > 0 && limit < limits->memory)
        limits->memory = limit;
    limits->largest = memory;
    limits->grid[0] = (uint32_t)attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 65535);
    limits->grid[1] = (uint32_t)attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535);
    limits->grid[2] = (uint32_t)attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535);
    limits->multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1);
    limits->block_threads = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 256);
    limits->block_bytes = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 24576);
    limits->launch_bytes = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, limits->block_bytes);
    limits->interprets = true;
    limits->has_mma_bytes = true;
    limits->has_mma_floats = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0) >= 8;
    limits->shares_memory = attribute(device, CU_DEVICE_ATTRIBUTE_INTEGRATED, 0) > 0;
    limits->has_copy_queues = attribute(device, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 0) > 0;
}

/* Within the context. */
static weft_status fill(struct gpu_device *device, uint64_t memory_limit, weft_error *error) {
    size_t free_memory = 0, memory = 0;
    weft_status status =
        weft_cuda_check(device, device->api.cuMemGetInfo(&free_memory, &memory), "asking for its memory", error);
    for (int queue = 0; queue < GPU_QUEUES && status == WEFT_OK; queue++) {
        status = weft_cuda_check(device, device->api.cuStreamCreate(&device->streams[queue], CU_STREAM_NON_BLOCKING),
                                 "making a stream", error);
        for (int i = 0; i < CUDA_EVENTS && status == WEFT_OK; i++)
            status =
                weft_cuda_check(device, device->api.cuEventCreate(&device->events[queue][i], CU_EVENT_DISABLE_TIMING),
                                "making an event", error);
    }
    if (status != WEFT_OK)
        return status;
    set_limits(device, free_memory, memory, memory_limit);
    return WEFT_OK;
}

static void cuda_close(weft_device *opened) {
    struct gpu_device *device = (struct gpu_device *)(void *)opened;
    const struct cuda_api *api = &device->api;
    weft_gpu_copier_destroy(device, device->base.copier);
    weft_gpu_deliveries_destroy(device->base.deliveries);
    if (device->context) {
        /* On a lost device these calls return errors, and do no harm. */
        api->cuCtxPushCurrent(device->context);
        for (int queue = 0; queue < GPU_QUEUES; queue++) {
            if (device->streams[queue])
                api->cuStreamSynchronize(device->streams[queue]);
            for (int i = 0; i < CUDA_EVENTS; i++)
                if (device->events[queue][i])
                    api->cuEventDestroy(device->events[queue][i]);
            if (device->streams[queue])
                api->cuStreamDestroy(device->streams[queue]);
        }
        weft_cuda_memory_unkeep(device);
        weft_cuda_kernels_destroy(device);
        weft_cuda_leave(device);
        api->cuDevicePrimaryCtxRelease(device->device);
    }
    weft_cuda_compiler_clear(&device->compiler);
    weft_cuda_store_close(&device->store);
    if (device->has_mutexes) {
        pthread_cond_destroy(&device->kernel_made);
        pthread_mutex_destroy(&device->kernel_mutex);
        pthread_mutex_destroy(&device->mutex);
    }
    weft_cuda_unload(&device->api);
    weft_free(device);
}

static weft_status open_device(struct gpu_device *device, const char *name, const weft_device_options *options,
                               weft_error *error) {
    weft_status status = weft_cuda_load(&device->api, error);
    if (status == WEFT_OK)
        status = weft_cuda_choose(&device->api, name, &device->index, error);
    if (status != WEFT_OK)
        return status;
    if (!weft_cuda_describe(&device->api, device->index, &device->device, &device->capability, &device->info))
        return weft_fail(error, WEFT_ERROR_DEVICE, "the CUDA device %d has gone", (int)device->index);
    /* On Linux neither can fail with default attributes; half of them would be left alone. */
    device->has_mutexes = pthread_mutex_init(&device->mutex, NULL) == 0 &&
                          pthread_mutex_init(&device->kernel_mutex, NULL) == 0 &&
                          pthread_cond_init(&device->kernel_made, NULL) == 0;
    if (!device->has_mutexes)
        return weft_fail(error, WEFT_ERROR_MEMORY, "no memory for the device's mutexes");
    status = weft_cuda_store_open(&device->store, error);
    if (status == WEFT_OK)
        status = weft_cuda_compiler_find(&device->compiler, device->api.version, error);
    if (status != WEFT_OK)
        return status;
    CUcontext context = NULL;
    status = weft_cuda_check(device, device->api.cuDevicePrimaryCtxRetain(&context, device->device),
                             "making its context", error);
    if (status != WEFT_OK)
        return status;
    device->context = context;
    status = weft_cuda_enter(device, error);
    if (status == WEFT_OK) {
        status = fill(device, options->memory_limit, error);
        weft_cuda_leave(device);
    }
    return status;
}

static weft_status cuda_open(const char *name, const weft_device_options *options, weft_device **opened,
                             weft_error *error) {
    struct gpu_device *device = weft_allocate(1, sizeof *device);
    if (!device)
        return weft_fail_memory(error, sizeof *device, "the device");
    device->base.base.backend = &weft_backend_cuda;
    device->base.driver = &weft_cuda_driver;
    weft_status status = open_device(device, name, options, error);
    if (status == WEFT_OK)
        status = weft_gpu_copier_create(&device->base.copier, error);
    if (status == WEFT_OK)
        status = weft_gpu_deliveries_create(&device->base.deliveries, error);
    if (status != WEFT_OK)
        cuda_close((weft_device *)(void *)device);
    else
        *opened = (weft_device *)(void *)device;
    return status;
}

static void cuda_describe(const weft_device *opened, weft_device_info *info) {
    *info = ((const struct gpu_device *)(const void *)opened)->info;
}

const struct weft_backend weft_backend_cuda = {
    .name = "cuda",
    .at = cuda_at,
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    WEFT_GPU_BACKEND,
};
