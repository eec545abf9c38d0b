/* SPDX-License-Identifier: MIT
 * Putting lists on queues, and waiting for them: every queue counts its lists with a timeline semaphore. */
#include "backend/vulkan/vulkan.h"
#include "base/clock.h"
#include "base/status.h"

#define PATIENCE 3e-4 /* seconds for which a wait asks before it sleeps */
#define SEMAPHORES 8 /* of a submission; what a caller has beyond that goes into further ones */

/* A submission on its way: semaphores that are waited for and signalled, with their values; binary ones have any. */
struct batch {
    VkSemaphore wait[SEMAPHORES + GPU_QUEUES], signal[SEMAPHORES + 1];
    uint64_t wait_value[SEMAPHORES + GPU_QUEUES], signal_value[SEMAPHORES + 1];
    VkPipelineStageFlags stages[SEMAPHORES + GPU_QUEUES];
    uint32_t waits, signals;
};

static void add_wait(struct batch *batch, VkSemaphore semaphore, uint64_t value) {
    batch->wait[batch->waits] = semaphore;
    batch->wait_value[batch->waits] = value;
    batch->stages[batch->waits++] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
}

static void add_signal(struct batch *batch, VkSemaphore semaphore, uint64_t value) {
    batch->signal[batch->signals] = semaphore;
    batch->signal_value[batch->signals++] = value;
}

/* Submits what has been gathered, with or without commands, and begins anew. */
static VkResult flush(struct gpu_device *device, struct vulkan_lane *lane, struct batch *batch,
                      VkCommandBuffer buffer) {
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = batch->waits,
                                            .pWaitSemaphoreValues = batch->wait_value,
                                            .signalSemaphoreValueCount = batch->signals,
                                            .pSignalSemaphoreValues = batch->signal_value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = batch->waits,
                         .pWaitSemaphores = batch->wait,
                         .pWaitDstStageMask = batch->stages,
                         .commandBufferCount = buffer ? 1 : 0,
                         .pCommandBuffers = &buffer,
                         .signalSemaphoreCount = batch->signals,
                         .pSignalSemaphores = batch->signal};
    VkResult result = device->call.QueueSubmit(lane->handle, 1, &info, VK_NULL_HANDLE);
    batch->waits = batch->signals = 0;
    return result;
}

static VkSemaphore handle_of(const weft_semaphore *semaphore) { return (VkSemaphore)(uintptr_t)semaphore->handle; }

/* What was waited for before a list holds it back as well, and what is signalled after it comes after it: the rest of
 * the caller's semaphores may go into submissions without commands. */
static VkResult submit_all(struct gpu_device *device, struct vulkan_lane *lane, const struct gpu_list *list,
                           const uint64_t *waits, const struct gpu_external *external, uint64_t value) {
    struct batch batch = {.waits = 0};
    VkResult result = VK_SUCCESS;
    for (int32_t i = 0; external && i < external->wait_count && result == VK_SUCCESS; i++) {
        if (batch.waits == SEMAPHORES)
            result = flush(device, lane, &batch, VK_NULL_HANDLE);
        add_wait(&batch, handle_of(&external->wait[i]), external->wait[i].value);
    }
    for (int i = 0; i < GPU_QUEUES; i++)
        if (waits[i])
            add_wait(&batch, device->queues[i].timeline, waits[i]);
    add_signal(&batch, device->queues[list->queue].timeline, value);
    for (int32_t i = 0; external && i < external->signal_count && i < SEMAPHORES; i++)
        add_signal(&batch, handle_of(&external->signal[i]), external->signal[i].value);
    if (result == VK_SUCCESS)
        result = flush(device, lane, &batch, list->buffer);
    for (int32_t i = SEMAPHORES; external && i < external->signal_count && result == VK_SUCCESS; i++) {
        add_signal(&batch, handle_of(&external->signal[i]), external->signal[i].value);
        if (batch.signals == SEMAPHORES || i + 1 == external->signal_count)
            result = flush(device, lane, &batch, VK_NULL_HANDLE);
    }
    return result;
}

weft_status weft_vulkan_submit(struct gpu_device *device, struct gpu_list *list, const struct gpu_point *wait,
                               int32_t wait_count, const struct gpu_external *external, struct gpu_point *done,
                               weft_error *error) {
    struct vulkan_queue *queue = &device->queues[list->queue];
    uint64_t waits[GPU_QUEUES] = {0};
    *done = (struct gpu_point){list->queue, 0};
    if (atomic_load(&device->lost))
        return weft_vulkan_lost(device, error);
    for (int32_t i = 0; i < wait_count; i++)
        if (device->queues[wait[i].queue].lane != queue->lane && wait[i].value > waits[wait[i].queue])
            waits[wait[i].queue] = wait[i].value; /* what shares the lane comes before it anyway: see command_list.c */
    pthread_mutex_lock(&queue->lane->lock);
    VkResult result = submit_all(device, queue->lane, list, waits, external, queue->submitted + 1);
    if (result == VK_SUCCESS)
        done->value = ++queue->submitted;
    pthread_mutex_unlock(&queue->lane->lock);
    return result == VK_SUCCESS ? WEFT_OK : weft_vulkan_fail(device, result, "submitting work", error);
}

/* Polls for a while, since a thread that sleeps wakes up some 30 microseconds late. False where there is more to wait for. */
static bool is_soon_past(struct gpu_device *device, struct gpu_point point, VkResult *result) {
    uint64_t value = 0;
    double end = weft_seconds() + PATIENCE;
    do
        *result = device->call.GetSemaphoreCounterValue(device->handle, device->queues[point.queue].timeline, &value);
    while (*result == VK_SUCCESS && value < point.value && weft_seconds() < end);
    return *result != VK_SUCCESS || value >= point.value;
}

weft_status weft_vulkan_wait(struct gpu_device *device, struct gpu_point point, weft_error *error) {
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &device->queues[point.queue].timeline,
                                .pValues = &point.value};
    if (atomic_load(&device->lost))
        return weft_vulkan_lost(device, error);
    if (!point.value)
        return WEFT_OK;
    VkResult result = VK_SUCCESS;
    if (!is_soon_past(device, point, &result))
        result = device->call.WaitSemaphores(device->handle, &info, UINT64_MAX);
    return result == VK_SUCCESS ? WEFT_OK : weft_vulkan_fail(device, result, "waiting for it", error);
}
