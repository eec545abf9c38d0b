/* SPDX-License-Identifier: MIT
 * The Vulkan driver's own types: what a device, a kernel and a list are made of. */
#ifndef BACKEND_VULKAN_VULKAN_H
#define BACKEND_VULKAN_VULKAN_H
#include <pthread.h>
#include <stdatomic.h>
#include "backend/gpu/driver.h"
#include "backend/gpu/device/kernel_cache.h"
#include "backend/vulkan/loader.h"

/* An instance, from the loader to the device: the caller's or our own. */
struct vulkan_instance {
    struct vulkan_loader loader;
    VkInstance handle;
    struct vulkan_instance_functions call;
    bool owned;
};

/* What a physical device is and can do. */
struct vulkan_physical {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    char detail[128];     /* "Vulkan 1.3.230, Mesa 22.3.6, software" */
    char problem[192];    /* why weft cannot use it; empty when it can */
    uint64_t budget;      /* bytes of its own memory that are there to take */
    uint64_t largest;     /* bytes of an allocation */
    uint32_t family;      /* of queues: for kernels */
    uint32_t copy_family; /* the same where there is none that does copies alone */
    uint32_t copy_queues; /* of copy_family that are used; 0 when it is the same */
    int32_t multiprocessors;
    int32_t loop_iterations; /* see gpu_limits */
    bool matrices;      /* subgroups multiply matrices of half floats; the device enables what that takes */
    bool units;         /* for exp2 and log2, as exact as the dialect's polynomials */
    bool float16;       /* kernels may compute with half floats; the device enables it */
    bool halves;        /* conversions of half floats can be declared IEEE's */
};

/* A VkQueue: its submissions are made by one thread at a time. Several of weft's queues may share it. */
struct vulkan_lane {
    VkQueue handle;
    uint32_t family;
    pthread_mutex_t lock;
    bool locks; /* `lock` is there to be destroyed */
};

/* One of weft's queues: lists are counted by a timeline semaphore. */
struct vulkan_queue {
    struct vulkan_lane *lane;
    VkSemaphore timeline;
    uint64_t submitted; /* under the lane's lock */
};

struct gpu_kernel {
    struct gpu_made made; /* first */
    VkPipeline pipeline;
    int32_t occupancy;
};

struct gpu_list {
    VkCommandPool pool; /* of its own: lists are made by any thread */
    VkCommandBuffer buffer;
    enum gpu_queue queue;
};

struct gpu_device {
    struct gpu_device_base base; /* first */
    struct vulkan_instance instance;
    struct vulkan_physical physical;
    struct vulkan_device_functions call;
    VkDevice handle;
    bool owned; /* destroyed with this */
    atomic_bool lost;
    struct vulkan_lane lanes[GPU_QUEUES];
    struct vulkan_queue queues[GPU_QUEUES];
    VkDescriptorSetLayout set_layout; /* a launch, as a uniform buffer */
    VkPipelineLayout layout;
    VkPipelineCache cache;
    size_t cache_size;           /* of what was loaded from the file */
    pthread_rwlock_t cache_lock; /* shared by those who make pipelines, alone for who begins the cache anew */
    atomic_uint cache_made;      /* pipelines, by it */
    pthread_mutex_t kernels_lock;
    uint32_t *operations; /* the module of all point filters, once a kernel was made; under the same lock */
    size_t operation_count; /* words */
    bool kernels_locks;
    struct gpu_kernel_cache kernels;
};

extern const struct gpu_driver weft_vulkan_driver;

/* error_text.c: errors. `what` was being done: "making a pipeline". A device that was lost stays so. */
weft_status weft_vulkan_fail(struct gpu_device *device, VkResult result, const char *what, weft_error *error);
const char *weft_vulkan_result_name(VkResult result);
weft_status weft_vulkan_lost(const struct gpu_device *device, weft_error *error);

/* instance.c */
weft_status weft_vulkan_instance_open(struct vulkan_instance *instance, weft_error *error);
weft_status weft_vulkan_instance_borrow(const weft_vulkan_handles *handles, struct vulkan_instance *instance,
                                        weft_error *error);
void weft_vulkan_instance_close(struct vulkan_instance *instance);
/* All physical devices; the caller frees them with weft_free. */
weft_status weft_vulkan_instance_list(const struct vulkan_instance *instance, VkPhysicalDevice **devices,
                                      uint32_t *count, weft_error *error);

/* physical_device.c */
void weft_vulkan_examine(const struct vulkan_instance *instance, VkPhysicalDevice device,
                         struct vulkan_physical *physical);
void weft_vulkan_describe(const struct vulkan_physical *physical, weft_device_info *info);
/* select_device.c: the one that `selector` names, which is what follows "vulkan:", or NULL. */
weft_status weft_vulkan_choose(const struct vulkan_instance *instance, const char *selector,
                               struct vulkan_physical *physical, weft_error *error);

/* pipeline_cache.c: the driver's cache of pipelines and its file. Whatever is wrong with that, there is a cache, maybe an empty
 * one. Drivers keep in it all that was ever made, also of pipelines that are gone; so it is looked at after every so many
 * pipelines, and begun anew where it is larger than this, as is a file. */
#define VULKAN_CACHE_LARGEST ((uint64_t)64 << 20)
#define VULKAN_CACHE_LOOK 64
weft_status weft_vulkan_cache_open(struct gpu_device *device, const weft_log *log, weft_error *error);
VkResult weft_vulkan_cache_make(struct gpu_device *device, const VkComputePipelineCreateInfo *info, VkPipeline *pipeline);
void weft_vulkan_cache_close(struct gpu_device *device);

/* memory.c */
weft_status weft_vulkan_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                      struct gpu_memory *memory, weft_error *error);
void weft_vulkan_memory_destroy(struct gpu_device *device, struct gpu_memory *memory);
weft_status weft_vulkan_import(struct gpu_device *device, const weft_image *image, uint64_t *place, weft_error *error);

/* kernel.c */
weft_status weft_vulkan_kernel_get(struct gpu_device *device, int32_t row, const struct gpu_wanted *wanted,
                                   const struct gpu_kernel **kernel, weft_error *error);
void weft_vulkan_kernel_release(struct gpu_device *device, const struct gpu_kernel *kernel);
int32_t weft_vulkan_kernel_occupancy(struct gpu_device *device, const struct gpu_kernel *kernel);
void weft_vulkan_kernels_destroy(struct gpu_device *device);

/* command_list.c */
weft_status weft_vulkan_list_create(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                                    int32_t count, struct gpu_list **list, weft_error *error);
void weft_vulkan_list_destroy(struct gpu_device *device, struct gpu_list *list);

/* submit.c */
weft_status weft_vulkan_submit(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait,
                               int32_t wait_count, const struct gpu_external *external, struct gpu_point *done,
                               weft_error *error);
weft_status weft_vulkan_wait(struct gpu_device *device, struct gpu_point point, weft_error *error);

/* The VkBuffer of memory. */
VkBuffer weft_vulkan_buffer(const struct gpu_memory *memory);
/* The descriptor set of GPU_MEMORY_LAUNCH: a launch at an offset that is given when it is bound. */
VkDescriptorSet weft_vulkan_launches(const struct gpu_memory *memory);
void *weft_vulkan_memory_export(const struct gpu_memory *memory);

#endif
