/* SPDX-License-Identifier: MIT
 * The Vulkan backend's table: its own devices, and what all GPUs share. */
#include "backend/gpu/gpu.h"
#include "backend/vulkan/device.h"

extern const struct weft_backend weft_backend_vulkan;

static weft_status open_device(const char *name, const weft_device_options *options, weft_device **device,
                               weft_error *error) {
    weft_status status = weft_vulkan_device_open(name, options, device, error);
    if (status == WEFT_OK)
        ((struct weft_device_base *)(void *)*device)->backend = &weft_backend_vulkan;
    return status;
}

const struct weft_backend weft_backend_vulkan = {.name = "vulkan",
                                                 .at = weft_vulkan_device_at,
                                                 .open = open_device,
                                                 .close = weft_vulkan_device_close,
                                                 .describe = weft_vulkan_device_describe,
                                                 WEFT_GPU_BACKEND};
