/* SPDX-License-Identifier: MIT
 * Which device gets a plan. A GPU takes long to start, so it is looked for only when a plan comes that is worth it; rates
 * are measured then. Software GPUs are never taken. */
#include "backend/auto/auto.h"
#include <stdio.h>
#include <unistd.h>
#include "backend/plan.h"

/* A plan that even a slow processor runs in this many seconds is not worth starting a GPU for. */
static const double worth_starting = 0.1;
static const struct auto_rates slow_processor = {.copy = 3e9, .operations = 1e9};

bool weft_auto_may_have_gpu(void) {
#ifdef __linux__
    static const char *const signs[] = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (access(signs[i], F_OK) == 0)
            return true;
    for (int i = 128; i < 144; i++) {
        char node[32];
        snprintf(node, sizeof node, "/dev/dri/renderD%d", i);
        if (access(node, F_OK) == 0)
            return true;
    }
    return false;
#else
    return true;
#endif
}

/* Opens the first GPU that is one, and measures it; why_not is set otherwise. The lock is held. */
static void find_gpu(struct auto_device *device) {
    weft_error error = {.status = WEFT_OK};
    snprintf(device->why_not, sizeof device->why_not, "no GPU is there");
    for (int i = 0; weft_backends[i] && !device->gpu; i++) {
        const struct weft_backend *backend = weft_backends[i];
        weft_device_info info;
        for (int32_t k = 0; backend->drain && !device->gpu && backend->at(k, &info); k++) {
            if (!info.available || info.software)
                continue;
            snprintf(device->gpu_name, sizeof device->gpu_name, "%.20s:%d", backend->name, (int)k);
            if (backend->open(device->gpu_name, &device->options, &device->gpu, &error) == WEFT_OK)
                ((struct weft_device_base *)(void *)device->gpu)->log = device->options.log;
            else
                snprintf(device->why_not, sizeof device->why_not, "%s does not start: %.140s", device->gpu_name,
                         error.message);
        }
    }
}

/* The lock is held. */
static void measure(struct auto_device *device) {
    if (device->gpu && (!weft_auto_measure_cpu(device->threads, &device->cpu_rates) ||
                        !weft_auto_measure_gpu(device->gpu, &device->gpu_rates))) {
        snprintf(device->why_not, sizeof device->why_not, "%s could not be measured", device->gpu_name);
        weft_backend_of(device->gpu)->close(device->gpu);
        device->gpu = NULL;
    }
}

static weft_status work_on(const weft_device *device, const struct weft_draft *draft, struct auto_work *work,
                           weft_error *error) {
    struct weft_typed_graph typed = {.graph = NULL};
    weft_status status = weft_draft_type(draft, device, &typed, error);
    if (status == WEFT_OK)
        weft_auto_work_of(&typed, work);
    weft_typed_graph_clear(&typed);
    return status;
}

/* Looks for a GPU, if that has not been done and a plan of so much work is worth it. False: it is not, as choice->why says. */
static bool start_gpu(struct auto_device *device, const struct auto_work *work, struct weft_choice *choice) {
    double most = weft_auto_estimate(work, &slow_processor).all;
    pthread_mutex_lock(&device->lock);
    bool worth = device->tried || device->gpu || most >= worth_starting;
    if (worth && !device->tried) {
        if (!device->gpu)
            find_gpu(device);
        measure(device);
        device->tried = true;
    }
    pthread_mutex_unlock(&device->lock);
    if (!worth)
        snprintf(choice->why, sizeof choice->why, "auto chose cpu: at most %.2g ms of work, less than starting a GPU takes",
                 most * 1e3);
    return worth;
}

/* Whether it is known that there is no GPU to choose. */
static bool is_alone(struct auto_device *device, struct weft_choice *choice) {
    pthread_mutex_lock(&device->lock);
    bool alone = !device->possible || (device->tried && !device->gpu);
    pthread_mutex_unlock(&device->lock);
    if (alone)
        snprintf(choice->why, sizeof choice->why, "auto chose cpu: %.*s", (int)sizeof device->why_not,
                 device->possible ? device->why_not : "no GPU is there");
    return alone;
}

weft_status weft_auto_choose(struct auto_device *device, const struct weft_draft *draft, struct weft_choice *choice,
                             weft_error *error) {
    struct auto_work on_cpu, on_gpu;
    choice->device = device->cpu;
    choice->last = true;
    if (is_alone(device, choice))
        return WEFT_OK;
    weft_status status = work_on(device->cpu, draft, &on_cpu, error);
    if (status != WEFT_OK || !start_gpu(device, &on_cpu, choice) || is_alone(device, choice))
        return status;
    status = work_on(device->gpu, draft, &on_gpu, error);
    if (status != WEFT_OK)
        return status;
    struct auto_estimate cpu = weft_auto_estimate(&on_cpu, &device->cpu_rates);
    struct auto_estimate gpu = weft_auto_estimate(&on_gpu, &device->gpu_rates);
    weft_auto_explain(&on_gpu, &cpu, device->gpu_name, &device->gpu_rates, &gpu, choice->why, sizeof choice->why);
    if (gpu.all < cpu.all) {
        choice->device = device->gpu;
        choice->last = false;
    }
    return WEFT_OK;
}
