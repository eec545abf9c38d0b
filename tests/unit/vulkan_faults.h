/* SPDX-License-Identifier: MIT
 * Functions of a Vulkan device of which call number `fail_at` returns `fault`, for test_vulkan.c. */
#ifndef TESTS_VULKAN_FAULTS_H
#define TESTS_VULKAN_FAULTS_H
#include <stdbool.h>
#include <string.h>
#include "backend/vulkan/device.h"

static PFN_vkGetInstanceProcAddr real_instance;
static PFN_vkGetDeviceProcAddr real_device;
static struct vulkan_device_functions real;
static int calls, fail_at;
static VkResult fault;

static bool fails(void) { return fault != VK_SUCCESS && calls++ == fail_at; }

#define FAULTS(F)                                                                                                      \
    F(CreateBuffer, (VkDevice a, const VkBufferCreateInfo *b, const VkAllocationCallbacks *c, VkBuffer *d),            \
      (a, b, c, d))                                                                                                    \
    F(AllocateMemory, (VkDevice a, const VkMemoryAllocateInfo *b, const VkAllocationCallbacks *c, VkDeviceMemory *d),  \
      (a, b, c, d))                                                                                                    \
    F(BindBufferMemory, (VkDevice a, VkBuffer b, VkDeviceMemory c, VkDeviceSize d), (a, b, c, d))                      \
    F(MapMemory, (VkDevice a, VkDeviceMemory b, VkDeviceSize c, VkDeviceSize d, VkMemoryMapFlags e, void **f),         \
      (a, b, c, d, e, f))                                                                                              \
    F(CreateShaderModule,                                                                                              \
      (VkDevice a, const VkShaderModuleCreateInfo *b, const VkAllocationCallbacks *c, VkShaderModule *d),              \
      (a, b, c, d))                                                                                                    \
    F(CreatePipelineLayout,                                                                                            \
      (VkDevice a, const VkPipelineLayoutCreateInfo *b, const VkAllocationCallbacks *c, VkPipelineLayout *d),          \
      (a, b, c, d))                                                                                                    \
    F(CreatePipelineCache,                                                                                             \
      (VkDevice a, const VkPipelineCacheCreateInfo *b, const VkAllocationCallbacks *c, VkPipelineCache *d),            \
      (a, b, c, d))                                                                                                    \
    F(CreateComputePipelines,                                                                                          \
      (VkDevice a, VkPipelineCache b, uint32_t c, const VkComputePipelineCreateInfo *d,                                \
       const VkAllocationCallbacks *e, VkPipeline *f),                                                                 \
      (a, b, c, d, e, f))                                                                                              \
    F(CreateCommandPool,                                                                                               \
      (VkDevice a, const VkCommandPoolCreateInfo *b, const VkAllocationCallbacks *c, VkCommandPool *d), (a, b, c, d))  \
    F(AllocateCommandBuffers, (VkDevice a, const VkCommandBufferAllocateInfo *b, VkCommandBuffer *c), (a, b, c))       \
    F(BeginCommandBuffer, (VkCommandBuffer a, const VkCommandBufferBeginInfo *b), (a, b))                              \
    F(EndCommandBuffer, (VkCommandBuffer a), (a))                                                                      \
    F(CreateSemaphore, (VkDevice a, const VkSemaphoreCreateInfo *b, const VkAllocationCallbacks *c, VkSemaphore *d),   \
      (a, b, c, d))                                                                                                    \
    F(WaitSemaphores, (VkDevice a, const VkSemaphoreWaitInfo *b, uint64_t c), (a, b, c))                               \
    F(QueueSubmit, (VkQueue a, uint32_t b, const VkSubmitInfo *c, VkFence d), (a, b, c, d))

#define FAULTY(name, parameters, arguments)                                                                            \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##name parameters { return fails() ? fault : real.name arguments; }
FAULTS(FAULTY)

/* Never there yet, so that who waits gives up asking and sleeps. The first answer of a scenario may be a fault. */
static bool asked;
static VKAPI_ATTR VkResult VKAPI_CALL faulty_GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t *value) {
    bool first = !asked;
    (void)device;
    (void)semaphore;
    *value = 0;
    asked = true;
    return first && fails() ? fault : VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_device(VkDevice device, const char *name) {
#define FAULTY_NAME(each, parameters, arguments)                                                                       \
    if (strcmp(name, "vk" #each) == 0) {                                                                               \
        real.each = (PFN_vk##each)real_device(device, name);                                                           \
        return (PFN_vkVoidFunction)faulty_##each;                                                                      \
    }
    FAULTS(FAULTY_NAME)
    if (strcmp(name, "vkGetSemaphoreCounterValue") == 0)
        return (PFN_vkVoidFunction)faulty_GetSemaphoreCounterValue;
    return real_device(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_instance(VkInstance instance, const char *name) {
    PFN_vkVoidFunction function = real_instance(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0)
        return function;
    real_device = (PFN_vkGetDeviceProcAddr)function;
    return (PFN_vkVoidFunction)faulty_device;
}

#endif
