/* SPDX-License-Identifier: MIT
 * libvulkan.so.1, and the functions of an instance and of a device. */
#include "backend/vulkan/loader.h"
#include "base/library.h"
#include "base/status.h"

weft_status weft_vulkan_loader_open(struct vulkan_loader *loader, weft_error *error) {
    static const char *const names[] = {"libvulkan.so.1", "libvulkan.so"};
    *loader = (struct vulkan_loader){0};
    for (size_t i = 0; i < sizeof names / sizeof *names && !loader->library; i++)
        loader->library = weft_library_open(names[i]);
    if (!loader->library)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan loader libvulkan.so.1 is not installed");
    if (weft_library_find(loader->library, "vkGetInstanceProcAddr", &loader->GetInstanceProcAddr,
                          sizeof loader->GetInstanceProcAddr))
        return WEFT_OK;
    weft_vulkan_loader_close(loader);
    return weft_fail(error, WEFT_ERROR_DEVICE, "libvulkan.so.1 is no Vulkan loader: it has no vkGetInstanceProcAddr");
}

void weft_vulkan_loader_close(struct vulkan_loader *loader) {
    weft_library_close(loader->library);
    *loader = (struct vulkan_loader){0};
}

weft_status weft_vulkan_load_instance(const struct vulkan_loader *loader, VkInstance instance,
                                      struct vulkan_instance_functions *functions, weft_error *error) {
#define LOAD(name)                                                                                                     \
    functions->name = (PFN_vk##name)loader->GetInstanceProcAddr(instance, "vk" #name);                                 \
    if (!functions->name)                                                                                              \
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan instance has no vk" #name "; weft needs Vulkan 1.2");
    VULKAN_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    functions->GetPhysicalDeviceCooperativeMatrixPropertiesNV =
        (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV)loader->GetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
    return WEFT_OK;
}

/* The loader unmaps a driver with its last instance. NVIDIA's (580.159) takes thread-local space each time that it is mapped
 * and gives none back: after 30 devices there is none left, and the loader says that no driver is installed. So it stays. */
static void keep_driver(void) {
    static const char *const names[] = {"libGLX_nvidia.so.0", "libEGL_nvidia.so.0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        weft_library_loaded(names[i]);
}

weft_status weft_vulkan_load_device(const struct vulkan_instance_functions *instance, VkDevice device,
                                    struct vulkan_device_functions *functions, weft_error *error) {
#define LOAD(name)                                                                                                     \
    functions->name = (PFN_vk##name)instance->GetDeviceProcAddr(device, "vk" #name);                                   \
    if (!functions->name)                                                                                              \
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan device has no vk" #name "; weft needs Vulkan 1.2");
    VULKAN_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    keep_driver();
    return WEFT_OK;
}
