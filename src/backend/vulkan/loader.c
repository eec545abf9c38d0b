/* SPDX-License-Identifier: MIT */
#include "backend/vulkan/loader.h"
#include <dlfcn.h>
#include <string.h>
#include "base/status.h"

/* Drivers leave threads and their destructors behind: code that was unmapped would still be called by them. */
#ifdef RTLD_NODELETE
#define STAY RTLD_NODELETE
#else
#define STAY 0
#endif

weft_status weft_vulkan_loader_open(struct vulkan_loader *loader, weft_error *error) {
    static const char *const names[] = {"libvulkan.so.1", "libvulkan.so"};
    *loader = (struct vulkan_loader){0};
    for (size_t i = 0; i < sizeof names / sizeof *names && !loader->library; i++)
        loader->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | STAY);
    if (!loader->library)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan loader libvulkan.so.1 is not installed");
    void *symbol = dlsym(loader->library, "vkGetInstanceProcAddr");
    if (symbol) {
        memcpy(&loader->GetInstanceProcAddr, &symbol, sizeof symbol); /* ISO C has no cast for it */
        return WEFT_OK;
    }
    weft_vulkan_loader_close(loader);
    return weft_fail(error, WEFT_ERROR_DEVICE, "libvulkan.so.1 is no Vulkan loader: it has no vkGetInstanceProcAddr");
}

void weft_vulkan_loader_close(struct vulkan_loader *loader) {
    if (loader->library)
        dlclose(loader->library);
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
    for (size_t i = 0; STAY && i < sizeof names / sizeof *names; i++)
        dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD | STAY);
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
