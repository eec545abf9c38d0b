/* SPDX-License-Identifier: MIT */
#include "backend/stateless_device.h"
#include <stdio.h>
#include "base/memory.h"
#include "base/status.h"

void weft_stateless_describe(const char *backend, const char *name, const char *detail, weft_device_info *info) {
    *info = (weft_device_info){.backend = backend, .available = true};
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(info->detail, sizeof info->detail, "%s", detail);
}

weft_status weft_stateless_open(const struct weft_backend *backend, weft_device **device, weft_error *error) {
    struct weft_device_base *base = weft_allocate(1, sizeof *base);
    if (!base)
        return weft_fail_memory(error, sizeof *base, "a device");
    base->backend = backend;
    *device = (weft_device *)(void *)base;
    return WEFT_OK;
}

void weft_stateless_close(weft_device *device) { weft_free(device); }
