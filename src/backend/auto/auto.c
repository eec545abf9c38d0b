/* SPDX-License-Identifier: MIT
 * The device "auto": the processor and, where there is one, a GPU; each plan goes to the one that is estimated to run
 * it sooner, its images coming from host memory. */
#include "backend/auto/auto.h"
#include <stdio.h>
#include <string.h>
#include "base/buffer.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

extern const struct weft_backend weft_backend_auto, weft_backend_cpu;

struct auto_plan {
    const struct weft_backend *backend; /* the chosen one */
    void *compiled;
    char why[AUTO_CHARACTERS];
};

static weft_status compile(weft_device *base, const struct weft_typed_graph *typed, void **compiled,
                           weft_error *error) {
    struct auto_device *device = (struct auto_device *)(void *)base;
    struct auto_plan *plan = weft_allocate(1, sizeof *plan);
    weft_error refusal = {.status = WEFT_OK};
    weft_status status = WEFT_ERROR_UNSUPPORTED;
    *compiled = NULL;
    if (!plan)
        return weft_fail_memory(error, sizeof *plan, "the plan");
    if (weft_auto_choose(device, typed, plan->why, sizeof plan->why)) {
        plan->backend = weft_backend_of(device->gpu);
        status = plan->backend->compile(device->gpu, typed, &plan->compiled, &refusal);
        if (status != WEFT_OK)
            snprintf(plan->why, sizeof plan->why, "auto chose cpu: %s cannot run this: %.300s", device->gpu_name,
                     refusal.message);
    }
    if (status != WEFT_OK) {
        plan->backend = weft_backend_of(device->cpu);
        status = plan->backend->compile(device->cpu, typed, &plan->compiled, error);
    }
    if (status != WEFT_OK) {
        weft_free(plan);
        return status;
    }
    weft_log_print(&device->base.log, WEFT_LOG_DEBUG, "%s", plan->why);
    *compiled = plan;
    return WEFT_OK;
}

static void destroy(void *compiled) {
    struct auto_plan *plan = compiled;
    plan->backend->destroy(plan->compiled);
    weft_free(plan);
}

static size_t workspace_size(const void *compiled) {
    const struct auto_plan *plan = compiled;
    return plan->backend->workspace_size(plan->compiled);
}

static int32_t passes(const void *compiled) {
    const struct auto_plan *plan = compiled;
    return plan->backend->passes(plan->compiled);
}

static uint64_t memory(const void *compiled) {
    const struct auto_plan *plan = compiled;
    return plan->backend->memory ? plan->backend->memory(plan->compiled) : plan->backend->workspace_size(plan->compiled);
}

static bool can_stream(const void *compiled) {
    const struct auto_plan *plan = compiled;
    return plan->backend->can_stream(plan->compiled);
}

static weft_status run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    const struct auto_plan *plan = compiled;
    return plan->backend->run(plan->compiled, request, error);
}

/* The chosen device's text, with the reason in front: a line, a key of the object, a comment. */
static weft_status print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    const struct auto_plan *plan = compiled;
    struct weft_buffer buffer = {0};
    char *inner = NULL;
    weft_status status = plan->backend->print(plan->compiled, format, &inner, error);
    if (status != WEFT_OK)
        return status;
    if (format == WEFT_PLAN_JSON && inner[0] == '{') {
        weft_buffer_print(&buffer, "{\"auto\": \"");
        for (const char *c = plan->why; *c; c++)
            weft_buffer_print(&buffer, "%c", *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '\'' : *c);
        weft_buffer_print(&buffer, "\", %s", inner + 1);
    } else {
        weft_buffer_print(&buffer, "%s%s\n%s", format == WEFT_PLAN_DOT ? "// " : "", plan->why, inner);
    }
    weft_free(inner);
    return weft_buffer_take(&buffer, "the plan's description", text, error);
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

/* What the processor keeps, where no GPU can be chosen. */
static weft_status keeps(const weft_device *device_, const struct weft_graph *graph, const weft_image_info *info,
                         int32_t n, bool *kept, weft_error *error) {
    struct auto_device *device = (struct auto_device *)(uintptr_t)device_;
    pthread_mutex_lock(&device->lock);
    bool alone = device->tried ? !device->gpu : !device->possible;
    pthread_mutex_unlock(&device->lock);
    *kept = false;
    return alone ? weft_backend_cpu.keeps(device->cpu, graph, info, n, kept, error) : WEFT_OK;
}

const struct weft_backend weft_backend_auto = {.name = "auto",
                                               .keeps = keeps,
                                               .at = at,
                                               .open = open_device,
                                               .close = close_device,
                                               .describe = describe,
                                               .compile = compile,
                                               .destroy = destroy,
                                               .workspace_size = workspace_size,
                                               .passes = passes,
                                               .can_stream = can_stream,
                                               .memory = memory,
                                               .print = print,
                                               .run = run};
