/* SPDX-License-Identifier: MIT
 * Poisons what the library allocates without making it 0: workspaces, images, rings of rows; and Vulkan's memory. Programs that
 * link this name the functions after __wrap_ below to the linker. The emulated CUDA device poisons its memory by itself. */
#include "poison/poison.h"
#include "backend/gpu/driver.h"

void *__real_weft_allocate_aligned(size_t size);
void *__wrap_weft_allocate_aligned(size_t size);
void *__wrap_weft_allocate_aligned(size_t size) {
    void *memory = __real_weft_allocate_aligned(size);
    if (memory) {
        poison_fill(memory, size);
        poison_undefine(memory, size);
    }
    return memory;
}

#ifdef WEFT_HAVE_VULKAN
weft_status __real_weft_vulkan_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                             struct gpu_memory *memory, weft_error *error);
weft_status __wrap_weft_vulkan_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                             struct gpu_memory *memory, weft_error *error);

/* By a copy from memory of the host; where there is none for it, what is there stays. */
static void poison_device(struct gpu_device *device, const struct gpu_memory *memory) {
    const struct gpu_driver *driver = ((const struct gpu_device_base *)(void *)device)->driver;
    struct gpu_memory staging = {0};
    struct gpu_list *list = NULL;
    struct gpu_point done;
    if (__real_weft_vulkan_memory_create(device, GPU_MEMORY_STAGING, memory->size, &staging, NULL) != WEFT_OK)
        return;
    poison_fill(staging.host, memory->size);
    const struct gpu_command copy = {.kind = GPU_COPY, .from = &staging, .to = memory, .size = memory->size / 4 * 4};
    if (copy.size > 0 && driver->list_create(device, GPU_QUEUE_COMPUTE, &copy, 1, &list, NULL) == WEFT_OK) {
        if (driver->submit(device, list, NULL, 0, NULL, &done, NULL) == WEFT_OK)
            driver->wait(device, done, NULL);
        driver->list_destroy(device, list);
    }
    driver->memory_destroy(device, &staging);
}

weft_status __wrap_weft_vulkan_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                             struct gpu_memory *memory, weft_error *error) {
    weft_status status = __real_weft_vulkan_memory_create(device, kind, size, memory, error);
    if (status == WEFT_OK && kind == GPU_MEMORY_DEVICE)
        poison_device(device, memory);
    else if (status == WEFT_OK && memory->host)
        poison_fill(memory->host, size);
    return status;
}
#endif
