/* SPDX-License-Identifier: MIT
 * The CUDA driver: its device, and the functions of libcuda that it calls. The library is opened when a device is asked
 * for, so one program runs with and without it. */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H
#include <pthread.h>
#include <stdatomic.h>
#include "backend/cuda/api.h"
#include "backend/cuda/compiler.h"
#include "backend/cuda/store/store.h"
#include "backend/gpu/driver.h"
#include "backend/gpu/device/kernel_cache.h"

struct cuda_api {
    void *library;
    int version; /* of the driver: 13000 is 13.0 */
#define CUDA_FIELD(name, ...) CUresult (*name)(__VA_ARGS__);
    CUDA_FUNCTIONS(CUDA_FIELD)
#undef CUDA_FIELD
};

struct gpu_kernel {
    struct gpu_made made; /* first */
    CUmodule module;
    CUfunction function;
    uint32_t threads_x, threads_y, shared;
    bool follows; /* it waits by itself until the launch before it has ended */
    int32_t occupancy;
};

/* Events mark the ends of a queue's lists, in a ring. When the ring has gone round, an event belongs to a later list than the
 * one that is asked for: a wait then takes longer, but is never too short. */
#define CUDA_EVENTS 64

/* Pinning memory takes longer than the rest of a plan whose kernels are there (0.4 ms a megabyte), so some is kept. */
#define CUDA_KEPT 4
#define CUDA_KEPT_BYTES ((size_t)128 << 20)

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
    pthread_mutex_t kernel_mutex; /* of the next two; nothing is compiled under it */
    pthread_cond_t kernel_made;
    struct gpu_kernel_cache kernels;
    struct cuda_pending *pending; /* kernels that threads are making now */
    struct cuda_compiler compiler;
    struct cuda_store store;
    pthread_mutex_t mutex;        /* of all that follows but `passed` */
    struct gpu_memory kept[CUDA_KEPT]; /* pinned memory of plans that are gone, for the next ones; the latest first */
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
/* Gives back what is kept; with the context current. */
void weft_cuda_memory_unkeep(struct gpu_device *device);
void *weft_cuda_memory_export(const struct gpu_memory *memory);
weft_status weft_cuda_import(struct gpu_device *device, const weft_image *image, uint64_t *address, weft_error *error);
weft_status weft_cuda_kernel_get(struct gpu_device *device, int32_t row, const struct gpu_wanted *wanted,
                                 const struct gpu_kernel **kernel, weft_error *error);
/* Code of a kernel for an architecture: from the pack, from the folder of the user's, or compiled now, and then kept there. */
weft_status weft_cuda_code_get(struct cuda_compiler *compiler, const struct cuda_store *store,
                               const struct cuda_source *source, int architecture, unsigned char **code, size_t *size,
                               weft_error *error);
void weft_cuda_kernel_release(struct gpu_device *device, const struct gpu_kernel *kernel);
int32_t weft_cuda_kernel_occupancy(struct gpu_device *device, const struct gpu_kernel *kernel);
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
