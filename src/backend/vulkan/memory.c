/* SPDX-License-Identifier: MIT
 * Memory: a buffer with an allocation of its own each; plans make few of them. */
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/status.h"

struct block {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDescriptorPool pool; /* of launches, which are bound by a set of it */
    VkDescriptorSet launches;
};

#define HOST (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
/* Types with any other property need something that was not asked for: a feature, a protected queue. */
#define PLAIN (HOST | LOCAL | CACHED)

/* What a kind needs, then what is worth most to it, and what it should leave to others. */
static const struct wish {
    VkMemoryPropertyFlags needs, likes, avoids;
} wishes[] = {[GPU_MEMORY_DEVICE] = {LOCAL, 0, HOST},
              [GPU_MEMORY_STAGING] = {HOST, CACHED, LOCAL},
              [GPU_MEMORY_LAUNCH] = {HOST, LOCAL, CACHED}};

static int score(VkMemoryPropertyFlags flags, const struct wish *wish) {
    if ((flags & wish->needs) != wish->needs || flags & ~(VkMemoryPropertyFlags)PLAIN)
        return -1;
    return (wish->likes && (flags & wish->likes) == wish->likes ? 2 : 0) + (flags & wish->avoids ? 0 : 1);
}

static const struct block *block_of(const struct gpu_memory *memory) { return memory->handle; }
VkBuffer weft_vulkan_buffer(const struct gpu_memory *memory) { return block_of(memory)->buffer; }
VkDescriptorSet weft_vulkan_launches(const struct gpu_memory *memory) { return block_of(memory)->launches; }
void *weft_vulkan_memory_export(const struct gpu_memory *memory) {
    return (void *)(uintptr_t)weft_vulkan_buffer(memory);
}

/* Tries the types from the best one on: a small heap, as the window onto device memory often is, may be full. */
static VkResult allocate(struct gpu_device *device, enum gpu_memory_kind kind, struct block *block) {
    VkMemoryRequirements requirements;
    device->call.GetBufferMemoryRequirements(device->handle, block->buffer, &requirements);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = requirements.size};
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (int wanted = 3; wanted >= 0; wanted--)
        for (uint32_t i = 0; i < device->physical.memory.memoryTypeCount; i++) {
            const VkMemoryType *type = &device->physical.memory.memoryTypes[i];
            if (!(requirements.memoryTypeBits >> i & 1) || score(type->propertyFlags, &wishes[kind]) != wanted ||
                requirements.size > device->physical.memory.memoryHeaps[type->heapIndex].size)
                continue;
            info.memoryTypeIndex = i;
            result = device->call.AllocateMemory(device->handle, &info, NULL, &block->memory);
            if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY)
                return result;
        }
    return result;
}

static VkResult describe_launches(struct gpu_device *device, size_t size, struct block *block) {
    VkDescriptorBufferInfo launch = {block->buffer, 0,
                                     size < sizeof(struct gpu_launch) ? size : sizeof(struct gpu_launch)};
    VkDescriptorPoolSize sets = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1};
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &sets};
    VkResult result = device->call.CreateDescriptorPool(device->handle, &pool, NULL, &block->pool);
    if (result != VK_SUCCESS)
        return result;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = block->pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &device->set_layout};
    result = device->call.AllocateDescriptorSets(device->handle, &info, &block->launches);
    if (result == VK_SUCCESS)
        device->call.UpdateDescriptorSets(
            device->handle, 1,
            &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                    .dstSet = block->launches,
                                    .descriptorCount = 1,
                                    .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                    .pBufferInfo = &launch},
            0, NULL);
    return result;
}

static VkResult make(struct gpu_device *device, enum gpu_memory_kind kind, struct block *block,
                     struct gpu_memory *memory) {
    uint32_t families[] = {device->physical.family, device->physical.copy_family};
    bool several = families[0] != families[1];
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = memory->size,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                        (kind == GPU_MEMORY_LAUNCH ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT : 0u),
                               .sharingMode = several ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
                               .queueFamilyIndexCount = several ? 2 : 0,
                               .pQueueFamilyIndices = several ? families : NULL};
    VkResult result = device->call.CreateBuffer(device->handle, &info, NULL, &block->buffer);
    if (result == VK_SUCCESS)
        result = allocate(device, kind, block);
    if (result == VK_SUCCESS)
        result = device->call.BindBufferMemory(device->handle, block->buffer, block->memory, 0);
    if (result == VK_SUCCESS && kind != GPU_MEMORY_DEVICE) {
        void *host = NULL;
        result = device->call.MapMemory(device->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &host);
        memory->host = host;
    }
    if (result == VK_SUCCESS)
        memory->address = device->call.GetBufferDeviceAddress(
            device->handle, &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                         .buffer = block->buffer});
    return result == VK_SUCCESS && kind == GPU_MEMORY_LAUNCH ? describe_launches(device, memory->size, block) : result;
}

weft_status weft_vulkan_memory_create(struct gpu_device *device, enum gpu_memory_kind kind, size_t size,
                                      struct gpu_memory *memory, weft_error *error) {
    static const char *const kinds[] = {"device memory", "memory for copies", "memory for launches"};
    *memory = (struct gpu_memory){0};
    if (atomic_load(&device->lost))
        return weft_vulkan_lost(device, error);
    if (size > device->base.limits.largest || size > SIZE_MAX - 16)
        return weft_fail(
            error, WEFT_ERROR_MEMORY,
            "out of memory: the Vulkan device '%.128s' gives at most %llu bytes at a time, not %zu bytes of %s",
            device->physical.properties.deviceName, (unsigned long long)device->base.limits.largest, size, kinds[kind]);
    struct block *block = weft_allocate(1, sizeof *block);
    if (!block)
        return weft_fail_memory(error, sizeof *block, "a Vulkan buffer");
    memory->handle = block;
    memory->size = size ? (size + 15) / 16 * 16 : 16; /* copies and fills are of whole words */
    VkResult result = make(device, kind, block, memory);
    if (result == VK_SUCCESS) {
        memory->size = size;
        return WEFT_OK;
    }
    weft_vulkan_memory_destroy(device, memory);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
        result == VK_ERROR_MEMORY_MAP_FAILED)
        return weft_fail(error, WEFT_ERROR_MEMORY,
                         "out of memory: the Vulkan device '%.128s' has no %zu bytes of %s left",
                         device->physical.properties.deviceName, size, kinds[kind]);
    return weft_vulkan_fail(device, result, "making a buffer", error);
}

void weft_vulkan_memory_destroy(struct gpu_device *device, struct gpu_memory *memory) {
    struct block *block = memory->handle;
    if (block) { /* Vulkan takes no notice of null handles; freeing unmaps */
        device->call.DestroyDescriptorPool(device->handle, block->pool, NULL);
        device->call.DestroyBuffer(device->handle, block->buffer, NULL);
        device->call.FreeMemory(device->handle, block->memory, NULL);
    }
    weft_free(block);
    *memory = (struct gpu_memory){0};
}

weft_status weft_vulkan_import(struct gpu_device *device, const weft_image *image, uint64_t *place, weft_error *error) {
    VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                      .buffer = (VkBuffer)(uintptr_t)image->data};
    *place = device->call.GetBufferDeviceAddress(device->handle, &info);
    if (!*place)
        return weft_fail(error, WEFT_ERROR_DEVICE,
                         "the image's VkBuffer has no address; make it with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT");
    *place += image->offset;
    return WEFT_OK;
}
