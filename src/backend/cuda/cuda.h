/* SPDX-License-Identifier: MIT
 * The CUDA driver: its device, and the functions of libcuda that it calls. The library is opened when a device is asked
 * for, so one program runs with and without it. */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H
#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include "backend/gpu/driver.h"
#include "backend/gpu/kernel_cache.h"

/* By the names that cuda.h gives them: cuMemAlloc stands for cuMemAlloc_v2. */
#define CUDA_FUNCTIONS(X)                                                                                              \
    X(cuInit)                                                                                                          \
    X(cuDriverGetVersion)                                                                                              \
    X(cuGetErrorName)                                                                                                  \
    X(cuGetErrorString)                                                                                                \
    X(cuDeviceGetCount)                                                                                                \
    X(cuDeviceGet)                                                                                                     \
    X(cuDeviceGetName)                                                                                                 \
    X(cuDeviceGetAttribute)                                                                                            \
    X(cuDeviceTotalMem)                                                                                                \
    X(cuDevicePrimaryCtxRetain)                                                                                        \
    X(cuDevicePrimaryCtxRelease)                                                                                       \
    X(cuCtxPushCurrent)                                                                                                \
    X(cuCtxPopCurrent)                                                                                                 \
    X(cuMemGetInfo)                                                                                                    \
    X(cuMemAlloc)                                                                                                      \
    X(cuMemFree)                                                                                                       \
    X(cuMemHostAlloc)                                                                                                  \
    X(cuMemFreeHost)                                                                                                   \
    X(cuMemcpyHtoDAsync)                                                                                               \
    X(cuMemcpyDtoHAsync)                                                                                               \
    X(cuMemcpyDtoDAsync)                                                                                               \
    X(cuMemsetD32Async)                                                                                                \
    X(cuPointerGetAttribute)                                                                                           \
    X(cuModuleLoadData)                                                                                                \
    X(cuModuleUnload)                                                                                                  \
    X(cuModuleGetFunction)                                                                                             \
    X(cuFuncGetAttribute)                                                                                              \
    X(cuFuncSetAttribute)                                                                                              \
    X(cuFuncLoad)                                                                                                      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                                     \
    X(cuLaunchKernelEx)                                                                                                \
    X(cuStreamCreate)                                                                                                  \
    X(cuStreamDestroy)                                                                                                 \
    X(cuStreamSynchronize)                                                                                             \
    X(cuStreamWaitEvent)                                                                                               \
    X(cuEventCreate)                                                                                                   \
    X(cuEventDestroy)                                                                                                  \
    X(cuEventRecord)                                                                                                   \
    X(cuEventSynchronize)

struct cuda_api {
    void *library;
    int version; /* of the driver: 13000 is 13.0 */
#define CUDA_FIELD(name) __typeof__(&name) name;
    CUDA_FUNCTIONS(CUDA_FIELD)
#undef CUDA_FIELD
};

struct gpu_kernel {
    struct gpu_made made; /* first; its code is NULL where the kernel is one of the device's own */
    CUmodule module;
    CUfunction function; /* NULL: not loaded yet */
    uint32_t threads_x, threads_y, shared;
    bool follows; /* it waits by itself until the launch before it has ended */
    int32_t resident;
};

/* Events mark the ends of a queue's lists, in a ring. Once it has gone round, an event stands for a later list than the
 * one that is asked for: who waits then waits longer, never too short. */
#define CUDA_EVENTS 64

struct gpu_device {
    struct gpu_device_base base; /* first */
    struct cuda_api api;
    int32_t index;
    CUdevice device;
    CUcontext context; /* the primary one, which programs that use the runtime API share */
    int capability;    /* 90 is 9.0 */
    weft_device_info info;
    atomic_int lost; /* the CUresult after which nothing works any more, 0 for none */

    bool has_mutexes;
    pthread_mutex_t kernel_mutex; /* of the next four: loading can take long, and must not hold up what runs */
    struct gpu_kernel *kernels;   /* as many as weft_gpu_codes */
    int32_t fixed;                /* of them, loaded */
    struct gpu_kernel_cache woven;
    bool weaves; /* the driver compiles what is woven */
    pthread_mutex_t mutex;        /* of all that follows but `passed` */
    CUstream streams[GPU_QUEUES];
    CUevent events[GPU_QUEUES][CUDA_EVENTS];
    uint64_t issued[GPU_QUEUES];      /* lists put on the queue so far */
    atomic_ullong passed[GPU_QUEUES]; /* of them, known to have run */
};

weft_status weft_cuda_load(struct cuda_api *api, weft_error *error);
void weft_cuda_unload(struct cuda_api *api);
/* Describes device `index`; *device and *capability are set when it is available. False when there is none. */
bool weft_cuda_describe(const struct cuda_api *api, int32_t index, CUdevice *device, int *capability,
                        weft_device_info *info);
/* The device that a name like "cuda:1" means. */
weft_status weft_cuda_choose(const struct cuda_api *api, const char *name, int32_t *index, weft_error *error);

/* Makes the device's context the calling thread's; WEFT_ERROR_DEVICE when the device is lost. */
weft_status weft_cuda_enter(struct gpu_device *device, weft_error *error);
void weft_cuda_leave(struct gpu_device *device);
/* WEFT_OK for CUDA_SUCCESS; otherwise the error of what was being done ("copying to the GPU"). */
weft_status weft_cuda_check(struct gpu_device *device, CUresult result, const char *doing, weft_error *error);

weft_status weft_cuda_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                    struct gpu_memory *memory, weft_error *error);
void weft_cuda_memory_destroy(struct gpu_device *device, struct gpu_memory *memory);
void *weft_cuda_memory_export(const struct gpu_memory *memory);
weft_status weft_cuda_import(struct gpu_device *device, const weft_image *image, uint64_t *address, weft_error *error);
weft_status weft_cuda_kernel_get(struct gpu_device *device, int32_t row, const int32_t *specials,
                                 const struct gpu_kernel **kernel, weft_error *error);
void weft_cuda_kernel_release(struct gpu_device *device, const struct gpu_kernel *kernel);
int32_t weft_cuda_kernel_resident(struct gpu_device *device, const struct gpu_kernel *kernel);
void weft_cuda_kernels_destroy(struct gpu_device *device);
weft_status weft_cuda_list_create(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                                  int32_t count, struct gpu_list **list, weft_error *error);
void weft_cuda_list_destroy(struct gpu_device *device, struct gpu_list *list);
weft_status weft_cuda_submit(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait,
                             int32_t wait_count, const struct gpu_external *external, struct gpu_point *done,
                             weft_error *error);
weft_status weft_cuda_wait(struct gpu_device *device, struct gpu_point point, weft_error *error);

extern const struct gpu_driver weft_cuda_driver;

#endif
