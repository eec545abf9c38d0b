/* SPDX-License-Identifier: MIT
 * What Vulkan's results mean to callers. */
#include "backend/vulkan/vulkan.h"
#include "base/status.h"

const char *weft_vulkan_result_name(VkResult result) {
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_INVALID_SHADER_NV:
        return "VK_ERROR_INVALID_SHADER_NV";
    case VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS:
        return "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS";
    case VK_TIMEOUT:
        return "VK_TIMEOUT";
    default:
        return "an unexpected result";
    }
}

weft_status weft_vulkan_lost(const struct gpu_device *device, weft_error *error) {
    return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan device '%.128s' was lost; close it and open it again",
                     device->physical.properties.deviceName);
}

weft_status weft_vulkan_fail(struct gpu_device *device, VkResult result, const char *what, weft_error *error) {
    const char *name = device->physical.properties.deviceName;
    switch (result) {
    case VK_ERROR_DEVICE_LOST:
        atomic_store(&device->lost, true);
        return weft_vulkan_lost(device, error);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: the Vulkan driver had none when %s", what);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: the Vulkan device '%.128s' had none left when %s",
                         name, what);
    default:
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan device '%.128s' failed when %s: %s (%d)", name, what,
                         weft_vulkan_result_name(result), (int)result);
    }
}
