/* SPDX-License-Identifier: MIT
 * Devices: opened from the first function of the loader to the last queue, or put around the caller's. */
#include "backend/vulkan/device.h"
#include <stdio.h>
#include <string.h>
#include "backend/gpu/device/memory.h"
#include "backend/gpu/run/values.h"
#include "base/memory.h"
#include "base/status.h"

/* Which lane each of weft's queues uses, and which queue of which family each lane is. */
struct plan {
    int lane[GPU_QUEUES], lanes;
    uint32_t family[GPU_QUEUES], index[GPU_QUEUES];
};

static struct plan plan_queues(const struct vulkan_physical *physical) {
    struct plan plan = {.lanes = 1, .family = {physical->family}};
    for (uint32_t i = 0; i < physical->copy_queues; i++) {
        plan.family[plan.lanes] = physical->copy_family;
        plan.index[plan.lanes] = i;
        plan.lanes++;
    }
    plan.lane[GPU_QUEUE_UPLOAD] = plan.lanes > 1;
    plan.lane[GPU_QUEUE_DOWNLOAD] = plan.lanes - 1;
    return plan;
}

static weft_status create_device(struct gpu_device *device, weft_error *error) {
    const float priorities[2] = {1, 1};
    VkDeviceQueueCreateInfo queues[2] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = device->physical.family,
                                          .queueCount = 1,
                                          .pQueuePriorities = priorities},
                                         {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = device->physical.copy_family,
                                          .queueCount = device->physical.copy_queues,
                                          .pQueuePriorities = priorities}};
    bool matrices = device->physical.matrices;
    VkPhysicalDeviceCooperativeMatrixFeaturesNV cooperative = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV, .cooperativeMatrix = VK_TRUE};
    const char *const extensions[] = {VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME};
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = matrices ? &cooperative : NULL,
                                            .shaderFloat16 = matrices || device->physical.float16,
                                            .vulkanMemoryModel = matrices,
                                            .storageBuffer8BitAccess = VK_TRUE,
                                            .scalarBlockLayout = VK_TRUE,
                                            .bufferDeviceAddress = VK_TRUE,
                                            .timelineSemaphore = VK_TRUE};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12,
                                            .storageBuffer16BitAccess = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11, .features = {.shaderInt64 = VK_TRUE}};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = device->physical.copy_queues ? 2 : 1,
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount = matrices ? 1 : 0,
                               .ppEnabledExtensionNames = extensions};
    VkResult result = device->instance.call.CreateDevice(device->physical.handle, &info, NULL, &device->handle);
    if (result != VK_SUCCESS)
        return weft_vulkan_fail(device, result, "opening it", error);
    device->owned = true;
    return WEFT_OK;
}

static weft_status find_device(struct gpu_device *device, const char *selector, weft_error *error) {
    weft_status status = weft_vulkan_instance_open(&device->instance, error);
    if (status == WEFT_OK)
        status = weft_vulkan_choose(&device->instance, selector, &device->physical, error);
    return status == WEFT_OK ? create_device(device, error) : status;
}

/* Only what the caller's device could have enabled can be checked, not what it has. */
static weft_status borrow_device(struct gpu_device *device, const weft_vulkan_handles *handles, weft_error *error) {
    weft_status status = weft_vulkan_instance_borrow(handles, &device->instance, error);
    if (status != WEFT_OK)
        return status;
    weft_vulkan_examine(&device->instance, handles->physical_device, &device->physical);
    if (device->physical.problem[0])
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s", device->physical.problem);
    device->handle = handles->device;
    device->physical.family = device->physical.copy_family = handles->queue_family;
    device->physical.copy_queues = 0;
    device->physical.matrices = device->physical.float16 = false; /* the caller need not have enabled them */
    return WEFT_OK;
}

static weft_status start_queues(struct gpu_device *device, const weft_vulkan_handles *handles, weft_error *error) {
    struct plan plan = plan_queues(&device->physical);
    for (int i = 0; i < plan.lanes; i++) {
        struct vulkan_lane *lane = &device->lanes[i];
        lane->family = plan.family[i];
        if (handles)
            lane->handle = handles->queue;
        else
            device->call.GetDeviceQueue(device->handle, plan.family[i], plan.index[i], &lane->handle);
        if (pthread_mutex_init(&lane->lock, NULL) != 0)
            return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: no lock could be made");
        lane->locks = true;
    }
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    for (int i = 0; i < GPU_QUEUES; i++) {
        device->queues[i].lane = &device->lanes[plan.lane[i]];
        VkResult result = device->call.CreateSemaphore(device->handle, &info, NULL, &device->queues[i].timeline);
        if (result != VK_SUCCESS)
            return weft_vulkan_fail(device, result, "making a semaphore", error);
    }
    device->base.limits.has_copy_queues = plan.lanes > 1;
    return WEFT_OK;
}

static weft_status start_kernels(struct gpu_device *device, const weft_log *log, weft_error *error) {
    VkDescriptorSetLayoutBinding launch = {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &launch};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &device->set_layout};
    device->kernels_locks = pthread_mutex_init(&device->kernels_lock, NULL) == 0;
    if (device->kernels_locks && pthread_rwlock_init(&device->cache_lock, NULL) != 0) {
        pthread_mutex_destroy(&device->kernels_lock);
        device->kernels_locks = false;
    }
    if (!device->kernels_locks)
        return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: no lock could be made");
    VkResult result = device->call.CreateDescriptorSetLayout(device->handle, &set, NULL, &device->set_layout);
    if (result == VK_SUCCESS)
        result = device->call.CreatePipelineLayout(device->handle, &info, NULL, &device->layout);
    if (result != VK_SUCCESS)
        return weft_vulkan_fail(device, result, "making a pipeline layout", error);
    return weft_vulkan_cache_open(device, log, error);
}

static void set_limits(struct gpu_device *device, uint64_t memory_limit) {
    const struct vulkan_physical *physical = &device->physical;
    struct gpu_limits *limits = &device->base.limits;
    limits->memory = memory_limit && memory_limit < physical->budget ? memory_limit : physical->budget;
    limits->largest = physical->largest;
    memcpy(limits->grid, physical->properties.limits.maxComputeWorkGroupCount, sizeof limits->grid);
    limits->multiprocessors = physical->multiprocessors;
    limits->loop_iterations = physical->loop_iterations;
    limits->block_threads = (int32_t)physical->properties.limits.maxComputeWorkGroupInvocations;
    if ((uint32_t)limits->block_threads > physical->properties.limits.maxComputeWorkGroupSize[0])
        limits->block_threads = (int32_t)physical->properties.limits.maxComputeWorkGroupSize[0];
    limits->block_bytes = (int32_t)physical->properties.limits.maxComputeSharedMemorySize;
    limits->few_registers = true;
    limits->has_mma_cooperative = physical->matrices;
    limits->shares_memory = physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                            physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
}

weft_status weft_vulkan_device_open(const char *name, const weft_device_options *options, weft_device **result,
                                    weft_error *error) {
    const char *selector = strchr(name, ':');
    const weft_vulkan_handles *handles = options->vulkan;
    if (handles && selector)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "'%.64s' chooses a device, but the options have one already; name it 'vulkan'", name);
    struct gpu_device *device = weft_allocate(1, sizeof *device);
    if (!device)
        return weft_fail_memory(error, sizeof *device, "a device");
    weft_status status =
        handles ? borrow_device(device, handles, error) : find_device(device, selector ? selector + 1 : NULL, error);
    device->base.driver = &weft_vulkan_driver;
    if (status == WEFT_OK)
        status = weft_vulkan_load_device(&device->instance.call, device->handle, &device->call, error);
    if (status == WEFT_OK)
        status = start_queues(device, handles, error);
    if (status == WEFT_OK)
        status = start_kernels(device, &options->log, error);
    if (status == WEFT_OK) {
        set_limits(device, options->memory_limit);
        status = weft_gpu_copier_create(&device->base.copier, error);
    }
    if (status == WEFT_OK)
        status = weft_gpu_deliveries_create(&device->base.deliveries, error);
    if (status == WEFT_OK) {
        *result = (weft_device *)(void *)device;
    } else {
        weft_vulkan_device_close((weft_device *)(void *)device);
    }
    return status;
}

/* Destroying a device of one's own takes a function, which may be what was missing. */
static void destroy_device(struct gpu_device *device) {
    PFN_vkDestroyDevice destroy = device->call.DestroyDevice;
    if (!destroy)
        destroy = (PFN_vkDestroyDevice)device->instance.call.GetDeviceProcAddr(device->handle, "vkDestroyDevice");
    if (destroy)
        destroy(device->handle, NULL);
}

void weft_vulkan_device_close(weft_device *opened) {
    struct gpu_device *device = (struct gpu_device *)(void *)opened;
    weft_gpu_copier_destroy(device, device->base.copier);
    weft_gpu_deliveries_destroy(device->base.deliveries);
    for (int i = 0; i < GPU_QUEUES; i++)
        if (device->queues[i].timeline) {
            weft_vulkan_wait(device, (struct gpu_point){(enum gpu_queue)i, device->queues[i].submitted}, NULL);
            device->call.DestroySemaphore(device->handle, device->queues[i].timeline, NULL);
        }
    weft_vulkan_cache_close(device);
    weft_vulkan_kernels_destroy(device);
    if (device->layout)
        device->call.DestroyPipelineLayout(device->handle, device->layout, NULL);
    if (device->set_layout)
        device->call.DestroyDescriptorSetLayout(device->handle, device->set_layout, NULL);
    for (int i = 0; i < GPU_QUEUES; i++)
        if (device->lanes[i].locks)
            pthread_mutex_destroy(&device->lanes[i].lock);
    if (device->kernels_locks) {
        pthread_mutex_destroy(&device->kernels_lock);
        pthread_rwlock_destroy(&device->cache_lock);
    }
    if (device->owned)
        destroy_device(device);
    weft_vulkan_instance_close(&device->instance);
    weft_free(device);
}

bool weft_vulkan_device_at(int32_t index, weft_device_info *info) {
    struct vulkan_instance instance;
    struct vulkan_physical physical;
    VkPhysicalDevice *handles = NULL;
    uint32_t count = 0;
    weft_error error = {0};
    weft_status status = weft_vulkan_instance_open(&instance, &error);
    if (status == WEFT_OK) {
        status = weft_vulkan_instance_list(&instance, &handles, &count, &error);
        if (status == WEFT_OK && index >= 0 && (uint32_t)index < count) {
            weft_vulkan_examine(&instance, handles[index], &physical);
            weft_vulkan_describe(&physical, info);
        }
        weft_free(handles);
        weft_vulkan_instance_close(&instance);
    }
    if (status == WEFT_OK)
        return index >= 0 && (uint32_t)index < count;
    *info = (weft_device_info){.backend = "vulkan", .name = "none"};
    snprintf(info->detail, sizeof info->detail, "%.127s", error.message);
    return index == 0;
}

void weft_vulkan_device_describe(const weft_device *device, weft_device_info *info) {
    weft_vulkan_describe(&((const struct gpu_device *)(const void *)device)->physical, info);
}
