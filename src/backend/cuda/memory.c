/* SPDX-License-Identifier: MIT
 * Memory of the device, pinned memory of the host, and memory of callers. */
#include <string.h>
#include "backend/cuda/cuda.h"
#include "base/memory.h"
#include "base/status.h"

/* With the mutex held: takes number i of what is kept. */
static struct gpu_memory take_kept(struct gpu_device *device, int32_t i) {
    struct gpu_memory taken = device->kept[i];
    for (; i + 1 < CUDA_KEPT; i++)
        device->kept[i] = device->kept[i + 1];
    device->kept[CUDA_KEPT - 1] = (struct gpu_memory){0};
    return taken;
}

/* One of this size; without a handle where there is none. */
static struct gpu_memory find_kept(struct gpu_device *device, size_t size) {
    struct gpu_memory found = {0};
    pthread_mutex_lock(&device->mutex);
    for (int32_t i = 0; i < CUDA_KEPT && !found.handle; i++)
        if (device->kept[i].handle && device->kept[i].size == size)
            found = take_kept(device, i);
    pthread_mutex_unlock(&device->mutex);
    return found;
}

/* Keeps pinned memory; true where it does. The oldest go where that is too much. */
static bool keep(struct gpu_device *device, const struct gpu_memory *memory) {
    struct gpu_memory dropped[CUDA_KEPT];
    int32_t drops = 0;
    size_t all = memory->size;
    if (memory->size > CUDA_KEPT_BYTES || atomic_load(&device->lost) != 0)
        return false;
    pthread_mutex_lock(&device->mutex);
    for (int32_t i = 0; i < CUDA_KEPT; i++)
        all += device->kept[i].size;
    for (int32_t i = CUDA_KEPT - 1; i >= 0; i--)
        if (device->kept[i].handle && (i == CUDA_KEPT - 1 || all > CUDA_KEPT_BYTES)) {
            all -= device->kept[i].size;
            dropped[drops++] = take_kept(device, i);
        }
    memmove(&device->kept[1], &device->kept[0], (CUDA_KEPT - 1) * sizeof *device->kept);
    device->kept[0] = *memory;
    pthread_mutex_unlock(&device->mutex);
    for (int32_t i = 0; i < drops; i++)
        device->api.cuMemFreeHost(dropped[i].host);
    return true;
}

void weft_cuda_memory_unkeep(struct gpu_device *device) {
    for (int32_t i = 0; i < CUDA_KEPT; i++)
        if (device->kept[i].handle)
            device->api.cuMemFreeHost(device->kept[i].host);
    memset(device->kept, 0, sizeof device->kept);
}

static weft_status create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size, struct gpu_memory *memory,
                          weft_error *error) {
    CUresult result;
    CUdeviceptr own = 0;
    void *host = NULL;
    if (kind == GPU_MEMORY_DEVICE)
        result = device->api.cuMemAlloc(&own, size);
    else
        result = device->api.cuMemHostAlloc(&host, size, CU_MEMHOSTALLOC_PORTABLE);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return weft_fail(error, WEFT_ERROR_MEMORY,
                         "the CUDA device '%s' is out of memory: it has no %zu bytes of %s memory left",
                         device->info.name, size, kind == GPU_MEMORY_DEVICE ? "its own" : "pinned host");
    weft_status status = weft_cuda_check(device, result, "allocating memory", error);
    if (status != WEFT_OK)
        return status;
    /* With unified addresses the device sees pinned memory where the host does. */
    memory->address = kind == GPU_MEMORY_DEVICE ? own : (uintptr_t)host;
    memory->handle = (void *)(uintptr_t)memory->address;
    memory->host = host;
    return WEFT_OK;
}

weft_status weft_cuda_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                    struct gpu_memory *memory, weft_error *error) {
    *memory = (struct gpu_memory){.size = size};
    if (kind == GPU_MEMORY_LAUNCH) { /* read by the host alone: launches go by value */
        memory->handle = memory->host = weft_allocate(1, size > 0 ? size : 1);
        return memory->host ? WEFT_OK : weft_fail_memory(error, size, "launches");
    }
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    if (kind == GPU_MEMORY_STAGING)
        *memory = find_kept(device, size);
    if (!memory->handle) {
        memory->size = size;
        status = create(device, kind, size > 0 ? size : 4, memory, error);
    }
    weft_cuda_leave(device);
    return status;
}

void weft_cuda_memory_destroy(struct gpu_device *device, struct gpu_memory *memory) {
    if (!memory->handle)
        return;
    if (memory->host && memory->address == 0) {
        weft_free(memory->host);
    } else {
        /* Errors are ignored: a lost device also frees what it still can. */
        device->api.cuCtxPushCurrent(device->context);
        if (memory->host && !keep(device, memory))
            device->api.cuMemFreeHost(memory->host);
        else if (!memory->host)
            device->api.cuMemFree(memory->address);
        weft_cuda_leave(device);
    }
    *memory = (struct gpu_memory){0};
}

void *weft_cuda_memory_export(const struct gpu_memory *memory) { return (void *)(uintptr_t)memory->address; }

weft_status weft_cuda_import(struct gpu_device *device, const weft_image *image, uint64_t *result, weft_error *error) {
    CUdeviceptr pointer = (uintptr_t)image->data;
    CUmemorytype type = 0;
    int ordinal = -1;
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    CUresult found = device->api.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
    if (found == CUDA_SUCCESS)
        found = device->api.cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer);
    weft_cuda_leave(device);
    if (found == CUDA_ERROR_INVALID_VALUE)
        return weft_fail(
            error, WEFT_ERROR_ARGUMENT,
            "an image's data, %p, is no memory that CUDA knows; it must come from cudaMalloc or cuMemAlloc",
            image->data);
    status = weft_cuda_check(device, found, "looking at a caller's memory", error);
    if (status != WEFT_OK)
        return status;
    if (type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "an image's data, %p, is host memory; an image of CUDA memory must come from cudaMalloc or "
                         "cuMemAlloc",
                         image->data);
    if (ordinal != device->index)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "an image's memory is on cuda:%d, the plan's device is cuda:%d",
                         ordinal, (int)device->index);
    *result = pointer;
    return WEFT_OK;
}
