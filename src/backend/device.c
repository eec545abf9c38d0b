/* SPDX-License-Identifier: MIT
 * Devices by name: the public face of the backends' open, close and describe. */
#include <string.h>
#include "backend/backend.h"
#include "base/log.h"
#include "base/status.h"

static const struct weft_backend *backend_of(const weft_device *device) {
    return ((const struct weft_device_base *)(const void *)device)->backend;
}

/* "cpu", or "cuda:1" for a backend with several devices. */
static const struct weft_backend *find(const char *name) {
    for (int i = 0; weft_backends[i]; i++) {
        size_t length = strlen(weft_backends[i]->name);
        if (strncmp(name, weft_backends[i]->name, length) == 0 && (name[length] == 0 || name[length] == ':'))
            return weft_backends[i];
    }
    return NULL;
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
    const struct weft_backend *backend = find(strcmp(name, "auto") == 0 ? "cpu" : name);
    if (!backend) {
        char list[128] = "auto";
        for (int i = 0; weft_backends[i]; i++) {
            strncat(list, ", ", sizeof list - strlen(list) - 1);
            strncat(list, weft_backends[i]->name, sizeof list - strlen(list) - 1);
        }
        return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device '%.64s'; this build has %s", name, list);
    }
    weft_status status = backend->open(name, options, device, error);
    if (status == WEFT_OK) {
        struct weft_device_base *base = (struct weft_device_base *)(void *)*device;
        weft_device_info info;
        base->log = options->log;
        backend->describe(*device, &info);
        weft_log_print(&base->log, WEFT_LOG_INFO, "%s%s: %s, %s", strcmp(name, "auto") == 0 ? "auto chose " : "",
                       info.backend, info.name, info.detail);
    }
    return status;
}

void weft_device_close(weft_device **device) {
    if (device && *device) {
        backend_of(*device)->close(*device);
        *device = NULL;
    }
}

void weft_device_describe(const weft_device *device, weft_device_info *info) {
    if (device)
        backend_of(device)->describe(device, info);
    else
        *info = (weft_device_info){.backend = ""};
}

bool weft_device_at(int32_t index, weft_device_info *info) {
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
    return false;
}
