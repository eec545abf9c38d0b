/* SPDX-License-Identifier: MIT
 * Vulkan instances: one for each open device, so that nothing is shared behind the caller's back. */
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status create(struct vulkan_instance *instance, weft_error *error) {
    PFN_vkGetInstanceProcAddr get = instance->loader.GetInstanceProcAddr;
    PFN_vkCreateInstance create_instance = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    PFN_vkEnumerateInstanceVersion enumerate = (PFN_vkEnumerateInstanceVersion)get(NULL, "vkEnumerateInstanceVersion");
    uint32_t version = VK_API_VERSION_1_0;
    if (enumerate)
        enumerate(&version);
    if (!create_instance || version < VK_API_VERSION_1_2)
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan loader is for version %u.%u; weft needs 1.2",
                         VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pEngineName = "weft",
                                     .apiVersion = version < VK_API_VERSION_1_3 ? version : VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkResult result = create_instance(&info, NULL, &instance->handle);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return weft_fail(error, WEFT_ERROR_DEVICE, "no Vulkan driver is installed");
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
        return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: no Vulkan instance could be made");
    if (result != VK_SUCCESS)
        return weft_fail(error, WEFT_ERROR_DEVICE, "no Vulkan instance could be made: %s (%d)",
                         weft_vulkan_result_name(result), (int)result);
    instance->owned = true;
    return weft_vulkan_load_instance(&instance->loader, instance->handle, &instance->call, error);
}

weft_status weft_vulkan_instance_open(struct vulkan_instance *instance, weft_error *error) {
    *instance = (struct vulkan_instance){0};
    weft_status status = weft_vulkan_loader_open(&instance->loader, error);
    if (status == WEFT_OK)
        status = create(instance, error);
    if (status != WEFT_OK)
        weft_vulkan_instance_close(instance);
    return status;
}

weft_status weft_vulkan_instance_borrow(const weft_vulkan_handles *handles, struct vulkan_instance *instance,
                                        weft_error *error) {
    *instance = (struct vulkan_instance){0};
    if (!handles->instance || !handles->physical_device || !handles->device || !handles->queue)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "the options' Vulkan handles need an instance, a physical device, a device and a queue");
    weft_status status = WEFT_OK;
    if (handles->get_instance_proc_address)
        instance->loader.GetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)(uintptr_t)handles->get_instance_proc_address;
    else
        status = weft_vulkan_loader_open(&instance->loader, error);
    instance->handle = handles->instance;
    if (status == WEFT_OK)
        status = weft_vulkan_load_instance(&instance->loader, instance->handle, &instance->call, error);
    if (status != WEFT_OK)
        weft_vulkan_instance_close(instance);
    return status;
}

void weft_vulkan_instance_close(struct vulkan_instance *instance) {
    if (instance->owned) {
        PFN_vkDestroyInstance destroy =
            (PFN_vkDestroyInstance)instance->loader.GetInstanceProcAddr(instance->handle, "vkDestroyInstance");
        if (destroy)
            destroy(instance->handle, NULL);
    }
    weft_vulkan_loader_close(&instance->loader);
    *instance = (struct vulkan_instance){0};
}

weft_status weft_vulkan_instance_list(const struct vulkan_instance *instance, VkPhysicalDevice **devices,
                                      uint32_t *count, weft_error *error) {
    VkResult result = instance->call.EnumeratePhysicalDevices(instance->handle, count, NULL);
    *devices = NULL;
    if (result == VK_SUCCESS && *count) {
        *devices = weft_allocate(*count, sizeof **devices);
        if (!*devices)
            return weft_fail_memory(error, *count * sizeof **devices, "the list of Vulkan devices");
        result = instance->call.EnumeratePhysicalDevices(instance->handle, count, *devices);
    }
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) { /* incomplete: one was plugged in just now */
        weft_free(*devices);
        *devices = NULL;
        if (result == VK_ERROR_INITIALIZATION_FAILED) /* what drivers without their device end in */
            return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device that an installed Vulkan driver is for");
        return weft_fail(error, WEFT_ERROR_DEVICE, "the Vulkan devices could not be listed: %s (%d)",
                         weft_vulkan_result_name(result), (int)result);
    }
    return *count ? WEFT_OK : weft_fail(error, WEFT_ERROR_DEVICE, "there is no Vulkan device");
}
