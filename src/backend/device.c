/* SPDX-License-Identifier: MIT
 * Devices by name: the public face of the backends' open, close and describe. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "backend/backend.h"
#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

extern const struct weft_backend weft_backend_auto;

/* "cpu", or "cuda:1" for a backend with several devices. */
static bool names(const char *name, const char *backend) {
    size_t length = strlen(backend);
    return strncmp(name, backend, length) == 0 && (name[length] == 0 || name[length] == ':');
}

static const struct weft_backend *find(const char *name) {
    if (strcmp(name, weft_backend_auto.name) == 0)
        return &weft_backend_auto;
    for (int i = 0; weft_backends[i]; i++)
        if (names(name, weft_backends[i]->name))
            return weft_backends[i];
    return NULL;
}

/* Backends that weft has and this build has not. */
static const struct {
    const char *name, *words, *why;
} left_out[] = {
#ifndef WEFT_HAVE_CUDA
    {"cuda", "CUDA", "it was configured with -DWEFT_CUDA=OFF"},
#endif
#ifndef WEFT_HAVE_VULKAN
    {"vulkan", "Vulkan", "it was configured with -DWEFT_VULKAN=OFF, or without glslang, spirv-opt or the headers of Vulkan"},
#endif
    {NULL, NULL, NULL}};

static weft_status no_device(const char *name, weft_error *error) {
    char list[128] = "auto", quote[WEFT_QUOTE_SIZE];
    const char *nearest = NULL;
    size_t length = strcspn(name, ":");
    int32_t least = weft_text_distance(name, length, list, 4);
    if (least != WEFT_TEXT_FAR)
        nearest = weft_backend_auto.name;
    for (int i = 0; weft_backends[i]; i++) {
        const char *each = weft_backends[i]->name;
        int32_t distance = weft_text_distance(name, length, each, strlen(each));
        if (distance < least)
            least = distance, nearest = each;
        strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, each, sizeof list - strlen(list) - 1);
    }
    for (int i = 0; left_out[i].name; i++)
        if (names(name, left_out[i].name))
            return weft_fail(error, WEFT_ERROR_DEVICE, "this build has no %s backend: %s; it has %s", left_out[i].words,
                             left_out[i].why, list);
    weft_text_quote(quote, name, strlen(name));
    if (nearest)
        return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device '%s': did you mean '%s'? This build has %s",
                         quote, nearest, list);
    return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device '%s'; this build has %s", quote, list);
}

weft_status weft_device_open(const char *name, const weft_device_options *options, weft_device **device,
                             weft_error *error) {
    static const weft_device_options defaults;
    if (!name || !device)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "weft_device_open needs a name and a place for the device");
    *device = NULL;
    if (!options)
        options = &defaults;
    if (options->threads < 0 || options->threads > 4096)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "threads is %d; it must be 0 (one per core) to 4096",
                         (int)options->threads);
    const struct weft_backend *backend = find(name);
    if (!backend)
        return no_device(name, error);
    if (options->vulkan && strcmp(backend->name, "vulkan") != 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "a Vulkan device of the caller's is opened as 'vulkan', not as '%.64s'", name);
    weft_status status = backend->open(name, options, device, error);
    if (status == WEFT_OK) {
        struct weft_device_base *base = (struct weft_device_base *)(void *)*device;
        weft_device_info info;
        base->log = options->log;
        base->process = (int64_t)getpid();
        backend->describe(*device, &info);
        weft_log_print(&base->log, WEFT_LOG_INFO, "%s%s: %s, %s",
                       backend == &weft_backend_auto && strcmp(info.backend, backend->name) != 0 ? "auto chose " : "",
                       info.backend, info.name, info.detail);
    }
    return status;
}

void weft_device_close(weft_device **device) {
    if (device && *device) {
        weft_device_leave(*device);
        *device = NULL;
    }
}

void weft_device_describe(const weft_device *device, weft_device_info *info) {
    if (!info)
        return;
    if (device)
        weft_backend_of(device)->describe(device, info);
    else
        *info = (weft_device_info){.backend = ""};
}

bool weft_device_at(int32_t index, weft_device_info *info) {
    if (!info)
        return false;
    for (int i = 0; index >= 0 && weft_backends[i]; i++)
        for (int32_t k = 0;; k++) {
            weft_device_info each;
            if (!weft_backends[i]->at(k, &each))
                break;
            if (index-- == 0) {
                *info = each;
                return true;
            }
        }
    for (int i = 0; index >= 0 && left_out[i].name; i++)
        if (index-- == 0) {
            *info = (weft_device_info){.backend = left_out[i].name};
            snprintf(info->detail, sizeof info->detail, "left out of this build: %s", left_out[i].why);
            return true;
        }
    return false;
}
