/* SPDX-License-Identifier: MIT */
#include "backend/stateless_device.h"
#include <stdio.h>
#include "base/memory.h"
#include "base/status.h"

bool weft_stateless_at(int32_t index, const char *backend, const char *name, const char *detail, weft_device_info *info) {
    if (index != 0)
        return false;
    *info = (weft_device_info){.backend = backend, .available = true};
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(info->detail, sizeof info->detail, "%s", detail);
    return true;
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

void weft_stateless_describe(const weft_device *device, weft_device_info *info) {
    ((const struct weft_device_base *)(const void *)device)->backend->at(0, info);
}

void weft_stateless_destroy(void *compiled) { (void)compiled; }

size_t weft_stateless_workspace_size(const void *compiled) {
    (void)compiled;
    return 0;
}
