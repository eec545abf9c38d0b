/* SPDX-License-Identifier: MIT
 * Vulkan's functions, found when a device is opened: nothing links against the loader, and a machine without it runs
 * everything else. */
#ifndef BACKEND_VULKAN_LOADER_H
#define BACKEND_VULKAN_LOADER_H
#define VK_NO_PROTOTYPES
#include <stdbool.h>
#include <vulkan/vulkan_core.h>
#include "weft/status.h"

/* The functions of the loader, an instance and a device that are used, named without "vk". */
#define VULKAN_INSTANCE_FUNCTIONS(F)                                                                                   \
    F(DestroyInstance)                                                                                                 \
    F(EnumeratePhysicalDevices)                                                                                        \
    F(EnumerateDeviceExtensionProperties)                                                                              \
    F(GetPhysicalDeviceProperties)                                                                                     \
    F(GetPhysicalDeviceProperties2)                                                                                    \
    F(GetPhysicalDeviceFeatures2)                                                                                      \
    F(GetPhysicalDeviceMemoryProperties2)                                                                              \
    F(GetPhysicalDeviceQueueFamilyProperties)                                                                          \
    F(CreateDevice)                                                                                                    \
    F(GetDeviceProcAddr)
#define VULKAN_DEVICE_FUNCTIONS(F)                                                                                     \
    F(DestroyDevice)                                                                                                   \
    F(GetDeviceQueue)                                                                                                  \
    F(CreateBuffer)                                                                                                    \
    F(DestroyBuffer)                                                                                                   \
    F(GetBufferMemoryRequirements)                                                                                     \
    F(GetBufferDeviceAddress)                                                                                          \
    F(AllocateMemory)                                                                                                  \
    F(FreeMemory)                                                                                                      \
    F(BindBufferMemory)                                                                                                \
    F(MapMemory)                                                                                                       \
    F(CreateShaderModule)                                                                                              \
    F(DestroyShaderModule)                                                                                             \
    F(CreateDescriptorSetLayout)                                                                                       \
    F(DestroyDescriptorSetLayout)                                                                                      \
    F(CreateDescriptorPool)                                                                                            \
    F(DestroyDescriptorPool)                                                                                           \
    F(AllocateDescriptorSets)                                                                                          \
    F(UpdateDescriptorSets)                                                                                            \
    F(CreatePipelineLayout)                                                                                            \
    F(DestroyPipelineLayout)                                                                                           \
    F(CreatePipelineCache)                                                                                             \
    F(DestroyPipelineCache)                                                                                            \
    F(GetPipelineCacheData)                                                                                            \
    F(CreateComputePipelines)                                                                                          \
    F(DestroyPipeline)                                                                                                 \
    F(CreateCommandPool)                                                                                               \
    F(DestroyCommandPool)                                                                                              \
    F(AllocateCommandBuffers)                                                                                          \
    F(BeginCommandBuffer)                                                                                              \
    F(EndCommandBuffer)                                                                                                \
    F(CmdBindPipeline)                                                                                                 \
    F(CmdBindDescriptorSets)                                                                                           \
    F(CmdDispatch)                                                                                                     \
    F(CmdCopyBuffer)                                                                                                   \
    F(CmdFillBuffer)                                                                                                   \
    F(CmdPipelineBarrier)                                                                                              \
    F(CreateSemaphore)                                                                                                 \
    F(DestroySemaphore)                                                                                                \
    F(WaitSemaphores)                                                                                                  \
    F(GetSemaphoreCounterValue)                                                                                        \
    F(QueueSubmit)

#define VULKAN_MEMBER(name) PFN_vk##name name;
struct vulkan_loader {
    void *library; /* NULL when the caller has one */
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
};
struct vulkan_instance_functions {
    VULKAN_INSTANCE_FUNCTIONS(VULKAN_MEMBER)
    VULKAN_MEMBER(GetPhysicalDeviceCooperativeMatrixPropertiesNV) /* NULL where no driver has it */
};
struct vulkan_device_functions {
    VULKAN_DEVICE_FUNCTIONS(VULKAN_MEMBER)
};
#undef VULKAN_MEMBER

/* Opens the system's loader. */
weft_status weft_vulkan_loader_open(struct vulkan_loader *loader, weft_error *error);
void weft_vulkan_loader_close(struct vulkan_loader *loader);

weft_status weft_vulkan_load_instance(const struct vulkan_loader *loader, VkInstance instance,
                                      struct vulkan_instance_functions *functions, weft_error *error);
weft_status weft_vulkan_load_device(const struct vulkan_instance_functions *instance, VkDevice device,
                                    struct vulkan_device_functions *functions, weft_error *error);

#endif
