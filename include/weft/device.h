/* SPDX-License-Identifier: MIT
 * Devices: where plans run. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H
#include <stdbool.h>
#include "weft/log.h"
#include "weft/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_device weft_device;

/* A Vulkan device that the program has already, to share images with. Version 1.2 or later, with the features that
 * docs/vulkan.md lists. weft destroys none of it; the queue must not be used by others while a plan is made or run. */
typedef struct weft_vulkan_handles {
    void *instance, *physical_device, *device, *queue; /* VkInstance, VkPhysicalDevice, VkDevice, VkQueue */
    uint32_t queue_family;                             /* of `queue`; it must have compute */
    void *get_instance_proc_address;                   /* PFN_vkGetInstanceProcAddr; NULL: the system's loader */
} weft_vulkan_handles;

typedef struct weft_device_options {
    int32_t threads;       /* CPU threads, at most 4096; 0 for one per core that this process may use */
    weft_log log;          /* of the device and its plans; zero for silence */
    uint64_t memory_limit; /* bytes of GPU memory that a plan may take: larger images run in bands; 0: most of what is
                              free */
    const weft_vulkan_handles *vulkan; /* NULL: weft opens a device of its own */
} weft_device_options;

typedef struct weft_device_info {
    const char *backend; /* "cpu", "cuda", "vulkan", "reference", "null"; "auto" when it may still choose */
    char name[128];      /* the processor, in words */
    char detail[128];    /* "x86-64-v4, 2 threads" */
    bool available;      /* false: `detail` says why not */
    bool software;       /* a GPU that is only a program running on the CPU: "auto" never takes it */
} weft_device_info;

/* Opens a device by name: "cpu"; "cuda" or "vulkan" for the best GPU that each finds, "cuda:1" for one by its number,
 * in the order of weft_device_at, "vulkan:WORDS" for one by a part of its name; "auto", which chooses for each plan
 * between the CPU and a GPU (software ones never), by what a run is estimated to take with images in host memory, and
 * says why in weft_plan_print; "reference", the slow double precision model that the others are tested against; "null",
 * which runs nothing. `options` may be NULL. A name that cannot be opened is an error, never another device. The
 * environment variable WEFT_CPU_ISA=x86-64-v2 (or v3, v4) limits the CPU's instruction set. A device may be used by
 * several threads at a time. In the child of a fork it answers WEFT_ERROR_DEVICE and must be opened again. */
WEFT_API weft_status weft_device_open(const char *name, const weft_device_options *options, weft_device **device,
                                      weft_error *error);
/* Closes a device and sets *device to NULL; NULL is allowed. Plans and queues hold it: it goes when the last of them does.
 * Images in a GPU's own memory do not, and must be given back before. */
WEFT_API void weft_device_close(weft_device **device);
/* Describes an open device; NULL is one that is not available. */
WEFT_API void weft_device_describe(const weft_device *device, weft_device_info *info);

/* Describes device `index` of this machine without opening it, backends without a device and those that this build
 * lacks included, which are not available; false past the end. */
WEFT_API bool weft_device_at(int32_t index, weft_device_info *info);

#ifdef __cplusplus
}
#endif
#endif
