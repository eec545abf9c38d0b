/* SPDX-License-Identifier: MIT
 * What a physical device is and whether weft can use it. What is asked for here is what docs/vulkan.md lists and what
 * device.c enables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/threads.h"

#define THREADS 256u        /* of a block, at most */
#define SHARED_BYTES 24576u /* of a block, at most: box and extremum filters of four channels */

static void problem(struct vulkan_physical *physical, const char *what) {
    if (!physical->problem[0])
        snprintf(physical->problem, sizeof physical->problem, "%.100s %s", physical->properties.deviceName, what);
}

static bool software(const struct vulkan_physical *physical) {
    return physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static void check_features(const struct vulkan_instance *instance, struct vulkan_physical *physical) {
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11};
    instance->call.GetPhysicalDeviceFeatures2(physical->handle, &features);
    if (!features.features.shaderInt64)
        problem(physical, "lacks the feature shaderInt64");
    if (!v11.storageBuffer16BitAccess)
        problem(physical, "lacks the feature storageBuffer16BitAccess");
    if (!v12.storageBuffer8BitAccess)
        problem(physical, "lacks the feature storageBuffer8BitAccess");
    if (!v12.scalarBlockLayout)
        problem(physical, "lacks the feature scalarBlockLayout");
    if (!v12.bufferDeviceAddress)
        problem(physical, "lacks the feature bufferDeviceAddress");
    if (!v12.timelineSemaphore)
        problem(physical, "lacks the feature timelineSemaphore");
    /* Software devices do it number by number, several times slower: the tests ask for it. */
    const char *float16 = getenv("WEFT_VULKAN_FLOAT16");
    physical->float16 = v12.shaderFloat16 && (float16 ? strcmp(float16, "0") != 0 : !software(physical));
    const VkPhysicalDeviceLimits *limits = &physical->properties.limits;
    if (limits->maxComputeWorkGroupInvocations < THREADS || limits->maxComputeWorkGroupSize[0] < THREADS)
        problem(physical, "runs fewer than 256 threads in a workgroup");
    if (limits->maxComputeSharedMemorySize < SHARED_BYTES)
        problem(physical, "has less than 24 KB of shared memory for a workgroup");
}

/* Kernels go to the first family that computes, which is the one that drivers make for everything; copies to the first
 * that does nothing else: behind it are the copy engines. */
static void find_families(const struct vulkan_instance *instance, struct vulkan_physical *physical) {
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof *families;
    bool found = false, copies = false;
    instance->call.GetPhysicalDeviceQueueFamilyProperties(physical->handle, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        VkQueueFlags flags = families[i].queueFlags;
        if (!found && families[i].queueCount && flags & VK_QUEUE_COMPUTE_BIT) {
            found = true;
            physical->family = i;
        } else if (!copies && families[i].queueCount && flags & VK_QUEUE_TRANSFER_BIT &&
                   !(flags & ~(VkQueueFlags)(VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT))) {
            copies = true;
            physical->copy_family = i;
            physical->copy_queues = families[i].queueCount > 1 ? 2 : 1;
        }
    }
    if (!found)
        problem(physical, "has no queue that computes");
    if (!copies)
        physical->copy_family = physical->family;
}

static bool listed(const VkExtensionProperties *extensions, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

/* Whether subgroups of 32 multiply 16 x 16 half floats and sum up in f32, as the driver says in all that must be asked. */
static bool multiplies_matrices(const struct vulkan_instance *instance, const struct vulkan_physical *physical) {
    VkPhysicalDeviceCooperativeMatrixFeaturesNV matrices = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV};
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = &matrices};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
    VkPhysicalDeviceCooperativeMatrixPropertiesNV stages = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV};
    VkPhysicalDeviceVulkan11Properties v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                              .pNext = &stages};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v11};
    VkCooperativeMatrixPropertiesNV kinds[64];
    uint32_t count = sizeof kinds / sizeof *kinds;
    if (!instance->call.GetPhysicalDeviceCooperativeMatrixPropertiesNV)
        return false;
    instance->call.GetPhysicalDeviceFeatures2(physical->handle, &features);
    instance->call.GetPhysicalDeviceProperties2(physical->handle, &properties);
    for (uint32_t i = 0; i < count; i++)
        kinds[i] = (VkCooperativeMatrixPropertiesNV){.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV};
    if (!matrices.cooperativeMatrix || !v12.shaderFloat16 || !v12.vulkanMemoryModel || v11.subgroupSize != 32 ||
        !(stages.cooperativeMatrixSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) ||
        instance->call.GetPhysicalDeviceCooperativeMatrixPropertiesNV(physical->handle, &count, kinds) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (kinds[i].MSize == 16 && kinds[i].NSize == 16 && kinds[i].KSize == 16 &&
            kinds[i].AType == VK_COMPONENT_TYPE_FLOAT16_NV && kinds[i].BType == VK_COMPONENT_TYPE_FLOAT16_NV &&
            kinds[i].CType == VK_COMPONENT_TYPE_FLOAT32_NV && kinds[i].DType == VK_COMPONENT_TYPE_FLOAT32_NV &&
            kinds[i].scope == VK_SCOPE_SUBGROUP_NV)
            return true;
    return false;
}

/* Memory and multiprocessors: exactly where extensions tell, else what is safe. */
static void find_limits(const struct vulkan_instance *instance, struct vulkan_physical *physical) {
    VkExtensionProperties *extensions = NULL;
    uint32_t count = 0;
    if (instance->call.EnumerateDeviceExtensionProperties(physical->handle, NULL, &count, NULL) != VK_SUCCESS)
        count = 0;
    extensions = weft_allocate(count, sizeof *extensions);
    if (!extensions ||
        instance->call.EnumerateDeviceExtensionProperties(physical->handle, NULL, &count, extensions) < 0)
        count = 0;
    bool tells_budget = listed(extensions, count, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    bool nvidia = listed(extensions, count, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
    bool amd = listed(extensions, count, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME);
    physical->matrices = listed(extensions, count, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME) &&
                         multiplies_matrices(instance, physical);
    weft_free(extensions);

    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                                .pNext = tells_budget ? &budget : NULL};
    instance->call.GetPhysicalDeviceMemoryProperties2(physical->handle, &memory);
    physical->memory = memory.memoryProperties;
    bool shares = software(physical) || physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    for (uint32_t i = 0; i < physical->memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &physical->memory.memoryHeaps[i];
        uint64_t there = heap->size / 10 * (shares ? 5 : 8); /* the processor needs some for itself */
        if (tells_budget && budget.heapBudget[i] > budget.heapUsage[i] && !shares)
            there = (budget.heapBudget[i] - budget.heapUsage[i]) / 10 * 9;
        if (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && there > physical->budget)
            physical->budget = there;
    }

    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceShaderCorePropertiesAMD core = {.sType =
                                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = nvidia ? (void *)&sm
                                                       : amd  ? (void *)&core
                                                              : NULL};
    instance->call.GetPhysicalDeviceProperties2(physical->handle, &properties);
    uint32_t units = nvidia
                         ? sm.shaderSMCount
                         : core.shaderEngineCount * core.shaderArraysPerEngineCount * core.computeUnitsPerShaderArray;
    physical->multiprocessors = units > 0 && units < 65536 ? (int32_t)units
                                : software(physical)       ? weft_thread_count()
                                                           : 16;
}

/* Names what the driver is: "Mesa 22.3.6", "NVIDIA 580.159.04". */
static void find_names(const struct vulkan_instance *instance, struct vulkan_physical *physical) {
    static const char *const types[] = {[VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = "integrated",
                                        [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = "discrete",
                                        [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = "virtual",
                                        [VK_PHYSICAL_DEVICE_TYPE_CPU] = "software"};
    uint32_t version = physical->properties.apiVersion;
    unsigned type = (unsigned)physical->properties.deviceType;
    VkPhysicalDeviceVulkan12Properties v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                              .pNext = &v12};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v11};
    instance->call.GetPhysicalDeviceProperties2(physical->handle, &properties);
    /* Mesa's llvmpipe ends all loops of a thread silently after this many iterations together. */
    physical->loop_iterations = v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE ? 65535 : 0;
    /* Those that CUDA has, which states their bounds. */
    physical->units = v12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    physical->halves = v12.shaderDenormPreserveFloat16 && v12.shaderRoundingModeRTEFloat16 &&
                       v12.shaderSignedZeroInfNanPreserveFloat16 &&
                       v12.denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE &&
                       v12.roundingModeIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    bool bare = v12.driverInfo[0] >= '0' && v12.driverInfo[0] <= '9';
    snprintf(physical->detail, sizeof physical->detail, "Vulkan %u.%u.%u, %.32s%s%.*s, %s",
             VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version),
             bare ? v12.driverName : "", bare ? " " : "",
             (int)strcspn(v12.driverInfo, "(") < 40 ? (int)strcspn(v12.driverInfo, "(") : 40, v12.driverInfo,
             type < sizeof types / sizeof *types && types[type] ? types[type] : "other");
    char *space = strstr(physical->detail, " , "); /* before what was cut off */
    if (space)
        memmove(space, space + 1, strlen(space));
    physical->largest = v11.maxMemoryAllocationSize;
#ifdef VK_API_VERSION_1_3
    if (version >= VK_API_VERSION_1_3) {
        VkPhysicalDeviceVulkan13Properties v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
        properties.pNext = &v13;
        instance->call.GetPhysicalDeviceProperties2(physical->handle, &properties);
        if (v13.maxBufferSize && v13.maxBufferSize < physical->largest)
            physical->largest = v13.maxBufferSize;
    }
#endif
}

void weft_vulkan_examine(const struct vulkan_instance *instance, VkPhysicalDevice device,
                         struct vulkan_physical *physical) {
    *physical = (struct vulkan_physical){.handle = device, .multiprocessors = 1};
    instance->call.GetPhysicalDeviceProperties(device, &physical->properties);
    if (physical->properties.apiVersion < VK_API_VERSION_1_2) {
        char text[64];
        snprintf(text, sizeof text, "is for Vulkan %u.%u; weft needs 1.2",
                 VK_API_VERSION_MAJOR(physical->properties.apiVersion),
                 VK_API_VERSION_MINOR(physical->properties.apiVersion));
        problem(physical, text);
        return;
    }
    find_names(instance, physical);
    check_features(instance, physical);
    find_families(instance, physical);
    find_limits(instance, physical);
}

void weft_vulkan_describe(const struct vulkan_physical *physical, weft_device_info *info) {
    *info = (weft_device_info){.backend = "vulkan", .available = !physical->problem[0], .software = software(physical)};
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, physical->properties.deviceName);
    snprintf(info->detail, sizeof info->detail, "%.*s", (int)sizeof info->detail - 1,
             info->available ? physical->detail : physical->problem);
}
