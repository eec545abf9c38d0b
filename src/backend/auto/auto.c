/* SPDX-License-Identifier: MIT
 * The device "auto": the processor and, where there is one, a GPU; each plan goes to the one that is estimated to run
 * it sooner, its images coming from host memory. */
#include "backend/auto/auto.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

extern const struct weft_backend weft_backend_auto, weft_backend_cpu;

/* What the chosen one cannot run, the processor can. */
static weft_status choose(weft_device *base, const struct weft_draft *draft, const weft_error *refusal,
                          struct weft_choice *choice, weft_error *error) {
    struct auto_device *device = (struct auto_device *)(void *)base;
    if (!refusal)
        return weft_auto_choose(device, draft, choice, error);
    choice->device = device->cpu;
    choice->last = true;
    snprintf(choice->why, sizeof choice->why, "auto chose cpu: %s cannot run this: %.300s", device->gpu_name, refusal->message);
    return WEFT_OK;
}

static bool at(int32_t index, weft_device_info *info) {
    (void)index, (void)info; /* it is none of its own */
    return false;
}

static void describe(const weft_device *base, weft_device_info *info) {
    const struct auto_device *device = (const struct auto_device *)(const void *)base;
    weft_backend_of(device->cpu)->describe(device->cpu, info);
    if (device->possible) {
        char name[sizeof info->name];
        snprintf(name, sizeof name, "%.100s or a GPU", info->name);
        memcpy(info->name, name, sizeof name);
        info->backend = "auto";
    }
}

static void close_device(weft_device *base) {
    struct auto_device *device = (struct auto_device *)(void *)base;
    if (device->gpu)
        weft_backend_of(device->gpu)->close(device->gpu);
    if (device->cpu)
        weft_backend_of(device->cpu)->close(device->cpu);
    pthread_mutex_destroy(&device->lock);
    weft_free(device);
}

static weft_status make(struct auto_device **result, weft_error *error) {
    struct auto_device *device = weft_allocate(1, sizeof *device);
    *result = device;
    if (!device)
        return weft_fail_memory(error, sizeof *device, "the device");
    device->base.backend = &weft_backend_auto;
    pthread_mutex_init(&device->lock, NULL);
    return WEFT_OK;
}

static weft_status open_device(const char *name, const weft_device_options *options, weft_device **result,
                               weft_error *error) {
    struct auto_device *device;
    (void)name;
    weft_status status = make(&device, error);
    if (status != WEFT_OK)
        return status;
    device->options = *options;
    device->threads = options->threads > 0 ? options->threads : weft_thread_count();
    device->possible = weft_auto_may_have_gpu();
    status = weft_backend_cpu.open("cpu", options, &device->cpu, error);
    if (status != WEFT_OK) {
        close_device((weft_device *)(void *)device);
        return status;
    }
    ((struct weft_device_base *)(void *)device->cpu)->log = options->log;
    *result = (weft_device *)(void *)device;
    return WEFT_OK;
}

weft_status weft_auto_open_among(weft_device *cpu, weft_device *gpu, const char *gpu_name, weft_device **result,
                                 weft_error *error) {
    struct auto_device *device;
    weft_status status = make(&device, error);
    if (status != WEFT_OK)
        return status;
    device->cpu = cpu;
    device->gpu = gpu;
    device->threads = 1;
    device->possible = gpu != NULL;
    snprintf(device->gpu_name, sizeof device->gpu_name, "%s", gpu_name);
    *result = (weft_device *)(void *)device;
    return WEFT_OK;
}

const struct weft_backend weft_backend_auto = {
    .name = "auto", .at = at, .open = open_device, .close = close_device, .describe = describe, .choose = choose};
