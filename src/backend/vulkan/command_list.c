/* SPDX-License-Identifier: MIT
 * Lists of commands, recorded once. */
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/status.h"

/* Orders all work and all memory before it before all after it, as far as the queue does such work; at the end of a
 * list that leaves something for the host before the host's. */
static void barrier(struct gpu_device *device, const struct gpu_list *list, bool last) {
    bool computes = device->queues[list->queue].lane->family == device->physical.family;
    VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_TRANSFER_BIT | (computes ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : (VkPipelineStageFlags)0);
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | (computes ? VK_ACCESS_SHADER_WRITE_BIT : (VkAccessFlags)0),
        .dstAccessMask =
            last ? VK_ACCESS_HOST_READ_BIT
                 : VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                       (computes ? VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT : (VkAccessFlags)0)};
    device->call.CmdPipelineBarrier(list->buffer, stages, last ? VK_PIPELINE_STAGE_HOST_BIT : stages, 0, 1, &memory, 0,
                                    NULL, 0, NULL);
}

static void record(struct gpu_device *device, const struct gpu_list *list, const struct gpu_command *command,
                   VkPipeline *bound) {
    if (command->kind == GPU_LAUNCH) {
        if (*bound != command->kernel->pipeline)
            device->call.CmdBindPipeline(list->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, command->kernel->pipeline);
        *bound = command->kernel->pipeline;
        device->call.CmdBindDescriptorSets(list->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, device->layout, 0, 1,
                                           &(VkDescriptorSet){weft_vulkan_launches(command->launches)}, 1,
                                           &(uint32_t){(uint32_t)command->launch_offset});
        device->call.CmdDispatch(list->buffer, command->grid[0], command->grid[1], command->grid[2]);
    } else if (command->size && command->kind == GPU_COPY) {
        VkBufferCopy region = {command->from_offset, command->to_offset, command->size};
        device->call.CmdCopyBuffer(list->buffer, weft_vulkan_buffer(command->from), weft_vulkan_buffer(command->to), 1,
                                   &region);
    } else if (command->size) {
        device->call.CmdFillBuffer(list->buffer, weft_vulkan_buffer(command->to), command->to_offset, command->size, 0);
    }
}

static VkResult make(struct gpu_device *device, struct gpu_list *list, const struct gpu_command *commands,
                     int32_t count) {
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = device->queues[list->queue].lane->family};
    VkResult result = device->call.CreateCommandPool(device->handle, &pool, NULL, &list->pool);
    if (result != VK_SUCCESS)
        return result;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = list->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    result = device->call.AllocateCommandBuffers(device->handle, &info, &list->buffer);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    if (result == VK_SUCCESS)
        result = device->call.BeginCommandBuffer(list->buffer, &begin);
    if (result != VK_SUCCESS)
        return result;
    VkPipeline bound = VK_NULL_HANDLE;
    bool for_host = false;
    for (int32_t i = 0; i < count; i++) {
        for_host = for_host || commands[i].for_host || (commands[i].kind == GPU_COPY && commands[i].to->host);
        if (i == 0 || !commands[i].beside) /* the first one comes after the lists before this one */
            barrier(device, list, false);
        record(device, list, &commands[i], &bound);
    }
    if (for_host)
        barrier(device, list, true);
    return device->call.EndCommandBuffer(list->buffer);
}

weft_status weft_vulkan_list_create(struct gpu_device *device, enum gpu_queue queue, const struct gpu_command *commands,
                                    int32_t count, struct gpu_list **result, weft_error *error) {
    *result = NULL;
    if (atomic_load(&device->lost))
        return weft_vulkan_lost(device, error);
    struct gpu_list *list = weft_allocate(1, sizeof *list);
    if (!list)
        return weft_fail_memory(error, sizeof *list, "a list of commands");
    list->queue = queue;
    VkResult made = make(device, list, commands, count);
    if (made != VK_SUCCESS) {
        weft_vulkan_list_destroy(device, list);
        return weft_vulkan_fail(device, made, "recording commands", error);
    }
    *result = list;
    return WEFT_OK;
}

void weft_vulkan_list_destroy(struct gpu_device *device, struct gpu_list *list) {
    if (list && list->pool)
        device->call.DestroyCommandPool(device->handle, list->pool, NULL); /* and what was allocated from it */
    weft_free(list);
}
