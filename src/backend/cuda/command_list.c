/* SPDX-License-Identifier: MIT
 * Lists of commands, put on streams: one stream for each queue, or a caller's. */
#include <string.h>
#include "backend/cuda/cuda.h"
#include "base/memory.h"
#include "base/status.h"

/* A launch record is passed as one kernel argument; all drivers take 4096 bytes of arguments. */
_Static_assert(sizeof(struct gpu_launch) <= 4096, "a launch must fit a kernel's arguments");

struct gpu_list {
    enum gpu_queue queue;
    int32_t count;
    struct gpu_command commands[];
};

static bool fits(const struct gpu_memory *memory, size_t offset, size_t size) {
    return memory && offset <= memory->size && size <= memory->size - offset;
}

static weft_status check(const struct gpu_command *command, weft_error *error) {
    bool good = true;
    if (command->kind == GPU_LAUNCH)
        good = command->kernel && command->launch && command->grid[0] && command->grid[1] && command->grid[2];
    else if (command->kind == GPU_COPY)
        good = fits(command->from, command->from_offset, command->size) &&
               fits(command->to, command->to_offset, command->size) && !(command->from->host && command->to->host);
    else
        good = fits(command->to, command->to_offset, command->size) && !command->to->host && command->size % 4 == 0;
    return good ? WEFT_OK : weft_fail(error, WEFT_ERROR_INTERNAL, "a list of GPU commands has one that cannot be run");
}

weft_status weft_cuda_list_create(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                                  int32_t count, struct gpu_list **list, weft_error *error) {
    size_t size;
    (void)device;
    *list = NULL;
    for (int32_t i = 0; i < count; i++) {
        weft_status status = check(&commands[i], error);
        if (status != WEFT_OK)
            return status;
    }
    if (count < 0 || !weft_multiply((size_t)count, sizeof *commands, &size) || !weft_add(size, sizeof **list, &size))
        return weft_fail_memory(error, SIZE_MAX, "a list of GPU commands");
    *list = weft_allocate(1, size);
    if (!*list)
        return weft_fail_memory(error, size, "a list of GPU commands");
    (*list)->queue = queue;
    (*list)->count = count;
    if (count > 0)
        memcpy((*list)->commands, commands, (size_t)count * sizeof *commands);
    return WEFT_OK;
}

void weft_cuda_list_destroy(struct gpu_device *device, struct gpu_list *list) {
    (void)device;
    weft_free(list);
}

/* `follows`: it comes right after another launch. A kernel that waits by itself for what is before it (wait_for_prior_launches in
 * kernels/gpu/dialect/kernel.h) may then begin while that ends. */
static CUresult launch(const struct cuda_api *api, const struct gpu_command *command, bool follows, CUstream stream) {
    const struct gpu_kernel *kernel = command->kernel;
    void *arguments[] = {(void *)(uintptr_t)command->launch};
    CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                 .value.programmaticStreamSerializationAllowed = 1};
    CUlaunchConfig config = {.gridDimX = command->grid[0],
                             .gridDimY = command->grid[1],
                             .gridDimZ = command->grid[2],
                             .blockDimX = kernel->threads_x,
                             .blockDimY = kernel->threads_y,
                             .blockDimZ = 1,
                             .sharedMemBytes = kernel->shared,
                             .hStream = stream,
                             .attrs = &overlap,
                             .numAttrs = follows && kernel->follows};
    return api->cuLaunchKernelEx(&config, kernel->function, arguments, NULL);
}

static CUresult issue(const struct cuda_api *api, const struct gpu_command *command, bool follows, CUstream stream) {
    if (command->kind == GPU_LAUNCH)
        return launch(api, command, follows, stream);
    if (command->size == 0)
        return CUDA_SUCCESS;
    CUdeviceptr to = command->to->address + command->to_offset;
    if (command->kind == GPU_CLEAR)
        return api->cuMemsetD32Async(to, 0, command->size / 4, stream);
    CUdeviceptr from = command->from->address + command->from_offset;
    if (command->from->host)
        return api->cuMemcpyHtoDAsync(to, command->from->host + command->from_offset, command->size, stream);
    if (command->to->host)
        return api->cuMemcpyDtoHAsync(command->to->host + command->to_offset, from, command->size, stream);
    return api->cuMemcpyDtoDAsync(to, from, command->size, stream);
}

/* Launches overlap on the device's own streams alone: what a caller records from its stream stays plain. */
static weft_status issue_all(struct gpu_device *device, const struct gpu_list *list, CUstream stream, bool own,
                             weft_error *error) {
    static const char *const doing[] = {
        [GPU_LAUNCH] = "starting a kernel", [GPU_COPY] = "copying memory", [GPU_CLEAR] = "clearing memory"};
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < list->count && status == WEFT_OK; i++)
        status = weft_cuda_check(device,
                                 issue(&device->api, &list->commands[i],
                                       own && i > 0 && list->commands[i - 1].kind == GPU_LAUNCH, stream),
                                 doing[list->commands[i].kind], error);
    return status;
}

static bool is_past(struct gpu_device *device, struct gpu_point point) {
    return point.value <= atomic_load(&device->passed[point.queue]);
}

/* On a caller's stream: nothing but the commands themselves, for the stream may be recording them. */
static weft_status submit_outside(struct gpu_device *device, const struct gpu_list *list, const struct gpu_point *wait,
                                  int32_t wait_count, CUstream stream, weft_error *error) {
    for (int32_t i = 0; i < wait_count; i++)
        if (!is_past(device, wait[i]))
            return weft_fail(error, WEFT_ERROR_INTERNAL, "a list on a caller's stream would wait for another queue");
    return issue_all(device, list, stream, false, error);
}

/* With the mutex held: nothing comes between a list's commands and their event. */
static weft_status submit_inside(struct gpu_device *device, const struct gpu_list *list, const struct gpu_point *wait,
                                 int32_t wait_count, struct gpu_point *done, weft_error *error) {
    CUstream stream = device->streams[list->queue];
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < wait_count && status == WEFT_OK; i++)
        if (!is_past(device, wait[i]) && wait[i].queue != list->queue)
            status = weft_cuda_check(
                device,
                device->api.cuStreamWaitEvent(stream, device->events[wait[i].queue][wait[i].value % CUDA_EVENTS], 0),
                "waiting for another stream", error);
    if (status == WEFT_OK)
        status = issue_all(device, list, stream, true, error);
    uint64_t value = device->issued[list->queue] + 1;
    if (status == WEFT_OK)
        status =
            weft_cuda_check(device, device->api.cuEventRecord(device->events[list->queue][value % CUDA_EVENTS], stream),
                            "recording an event", error);
    if (status != WEFT_OK) {
        /* What was issued before the failure must have ended before the caller learns of the failure. */
        device->api.cuStreamSynchronize(stream);
        return status;
    }
    device->issued[list->queue] = value;
    *done = (struct gpu_point){list->queue, value};
    return WEFT_OK;
}

weft_status weft_cuda_submit(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait,
                             int32_t wait_count, const struct gpu_external *external, struct gpu_point *done,
                             weft_error *error) {
    *done = (struct gpu_point){list->queue, 0};
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    if (external && external->has_stream) {
        status = submit_outside(device, list, wait, wait_count, (CUstream)external->stream, error);
    } else {
        pthread_mutex_lock(&device->mutex);
        status = submit_inside(device, list, wait, wait_count, done, error);
        pthread_mutex_unlock(&device->mutex);
    }
    weft_cuda_leave(device);
    return status;
}

weft_status weft_cuda_wait(struct gpu_device *device, struct gpu_point point, weft_error *error) {
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    if (!is_past(device, point)) {
        status = weft_cuda_check(device,
                                 device->api.cuEventSynchronize(device->events[point.queue][point.value % CUDA_EVENTS]),
                                 "waiting for its work", error);
        unsigned long long passed = atomic_load(&device->passed[point.queue]);
        while (status == WEFT_OK && passed < point.value &&
               !atomic_compare_exchange_weak(&device->passed[point.queue], &passed, point.value))
            ;
    }
    weft_cuda_leave(device);
    return status;
}
