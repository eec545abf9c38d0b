/* SPDX-License-Identifier: MIT
 * The CPU backend's table, and its device: a pool of threads and the kernels of one instruction set. */
#include <stdio.h>
#include <string.h>
#include "backend/cpu/pipeline/run.h"
#include "base/log.h"
#include "base/status.h"

/* The processor in words, where the system tells. */
static void processor_name(char *name, size_t size) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "processor");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value) {
            value[strcspn(value, "\n")] = 0;
            snprintf(name, size, "%s", value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

static void describe_isa(const struct weft_isa *isa, int32_t threads, weft_device_info *info) {
    *info = (weft_device_info){.backend = "cpu", .available = true};
    processor_name(info->name, sizeof info->name);
    snprintf(info->detail, sizeof info->detail, "%s, %d thread%s", isa->name, (int)threads, threads == 1 ? "" : "s");
}

static bool cpu_at(int32_t index, weft_device_info *info) {
    const struct weft_isa *isa;
    weft_error error;
    if (index != 0)
        return false;
    if (weft_isa_choose(&isa, &error) == WEFT_OK) {
        describe_isa(isa, weft_thread_count(), info);
    } else {
        *info = (weft_device_info){.backend = "cpu"};
        processor_name(info->name, sizeof info->name);
        snprintf(info->detail, sizeof info->detail, "%.127s", error.message);
    }
    return true;
}

static void cpu_close(weft_device *device) {
    struct cpu_device *cpu = (struct cpu_device *)(void *)device;
    weft_pool_destroy(&cpu->pool);
    weft_free(cpu);
}

extern const struct weft_backend weft_backend_cpu;

static weft_status cpu_open(const char *name, const weft_device_options *options, weft_device **device,
                            weft_error *error) {
    struct cpu_device *cpu = weft_allocate(1, sizeof *cpu);
    weft_status status;
    if (!cpu)
        return weft_fail_memory(error, sizeof *cpu, "the device");
    cpu->base.backend = &weft_backend_cpu;
    cpu->mapped = &cpu->maps;
    cpu->threads = options->threads > 0 ? options->threads : weft_thread_count();
    if (strchr(name, ':') && strcmp(name, "cpu:0") != 0)
        status = weft_fail(error, WEFT_ERROR_DEVICE, "there is no device '%.64s'; the CPU is cpu or cpu:0", name);
    else
        status = weft_isa_choose(&cpu->isa, error);
    if (status == WEFT_OK) {
        cpu->isa->fill(&cpu->kernels);
        cpu->kernels.name = cpu->isa->name;
        status = weft_pool_create(cpu->threads, &cpu->pool, error);
    }
    if (status == WEFT_OK && weft_pool_threads(cpu->pool) < cpu->threads) {
        weft_log_print(&options->log, WEFT_LOG_WARNING, "the system gave %d threads of %d",
                       (int)weft_pool_threads(cpu->pool), (int)cpu->threads);
        cpu->threads = weft_pool_threads(cpu->pool);
    }
    if (status != WEFT_OK) {
        weft_free(cpu);
        return status;
    }
    *device = (weft_device *)(void *)cpu;
    return WEFT_OK;
}

static void cpu_describe(const weft_device *device, weft_device_info *info) {
    const struct cpu_device *cpu = (const struct cpu_device *)(const void *)device;
    describe_isa(cpu->isa, cpu->threads, info);
}

static size_t cpu_workspace_size(const void *compiled) { return ((const struct cpu_plan *)compiled)->workspace; }
static int32_t cpu_passes(const void *compiled) { return ((const struct cpu_plan *)compiled)->schedule.stages; }
const struct weft_backend weft_backend_cpu = {
    .name = "cpu",
    .forks = true,
    .keeps = weft_cpu_keeps,
    .at = cpu_at,
    .open = cpu_open,
    .close = cpu_close,
    .describe = cpu_describe,
    .compile = weft_cpu_compile,
    .destroy = weft_cpu_destroy,
    .workspace_size = cpu_workspace_size,
    .passes = cpu_passes,
    .can_stream = weft_cpu_can_stream,
    .memory = weft_cpu_memory,
    .print = weft_cpu_print,
    .run = weft_cpu_run,
};
