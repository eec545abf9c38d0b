/* SPDX-License-Identifier: MIT
 * Compiled pipelines in memory, and their file, one for each device and driver: $XDG_CACHE_HOME/weft or ~/.cache/weft. A file
 * that is missing, foreign, damaged or not to be written costs time and nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "backend/vulkan/vulkan.h"
#include "base/log.h"
#include "base/memory.h"

#define MAGIC "weft pipelines 1"
#define PATH_SIZE 512

/* What stands before the driver's data. */
struct head {
    char magic[16];
    uint64_t length, checksum;
};

/* FNV-1a, 64 bits. */
static uint64_t checksum_of(const unsigned char *data, size_t length) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ data[i]) * 0x100000001b3u;
    return sum;
}

/* The folder, or, with `file`, the file in it; false when the user has no place for it. */
static bool path_of(const struct gpu_device *device, bool file, char path[PATH_SIZE]) {
    const VkPhysicalDeviceProperties *properties = &device->physical.properties;
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && cache[0] == '/' ? snprintf(path, PATH_SIZE, "%s/weft", cache)
                 : home && home[0] == '/' ? snprintf(path, PATH_SIZE, "%s/.cache/weft", home)
                                          : -1;
    if (length < 0 || length > PATH_SIZE - 100)
        return false;
    if (!file)
        return true;
    length += snprintf(path + length, PATH_SIZE - (size_t)length, "/vulkan-%08x-%08x-", (unsigned)properties->vendorID,
                       (unsigned)properties->deviceID);
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        length += snprintf(path + length, PATH_SIZE - (size_t)length, "%02x", properties->pipelineCacheUUID[i]);
    snprintf(path + length, PATH_SIZE - (size_t)length, ".bin");
    return true;
}

/* Whether the data is this driver's: its header, as Vulkan lays it down. */
static bool fits(const struct gpu_device *device, const unsigned char *data, size_t length) {
    const VkPhysicalDeviceProperties *properties = &device->physical.properties;
    uint32_t header[4];
    if (length < sizeof header + VK_UUID_SIZE)
        return false;
    memcpy(header, data, sizeof header);
    return header[0] >= sizeof header + VK_UUID_SIZE && header[0] <= length &&
           header[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header[2] == properties->vendorID &&
           header[3] == properties->deviceID &&
           memcmp(data + sizeof header, properties->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

/* The driver's data in the file, or NULL, and then why. */
static unsigned char *load(const struct gpu_device *device, const char *path, size_t *length, const char **why) {
    struct head head;
    unsigned char *data = NULL;
    FILE *file = fopen(path, "rb");
    *why = "there is none yet";
    if (!file)
        return NULL;
    *why = "it is damaged";
    if (fread(&head, sizeof head, 1, file) == 1 && memcmp(head.magic, MAGIC, sizeof head.magic) == 0 &&
        head.length > 0 && head.length <= VULKAN_CACHE_LARGEST)
        data = weft_allocate((size_t)head.length, 1);
    *length = data ? (size_t)head.length : 0;
    bool good = data && fread(data, 1, *length, file) == *length && fgetc(file) == EOF &&
                checksum_of(data, *length) == head.checksum;
    fclose(file);
    if (good && !fits(device, data, *length)) {
        *why = "it is another driver's";
        good = false;
    }
    if (good)
        return data;
    weft_free(data);
    *length = 0;
    return NULL;
}

weft_status weft_vulkan_cache_open(struct gpu_device *device, const weft_log *log, weft_error *error) {
    char path[PATH_SIZE];
    const char *why = "there is no folder for it";
    size_t length = 0;
    unsigned char *data = path_of(device, true, path) ? load(device, path, &length, &why) : NULL;
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = length, .pInitialData = data};
    VkResult result = device->call.CreatePipelineCache(device->handle, &info, NULL, &device->cache);
    if (result != VK_SUCCESS && data) { /* the driver does not like it */
        why = "the driver refuses it";
        length = info.initialDataSize = 0;
        info.pInitialData = NULL;
        result = device->call.CreatePipelineCache(device->handle, &info, NULL, &device->cache);
    }
    weft_free(data);
    device->cache_size = length;
    if (length)
        weft_log_print(log, WEFT_LOG_DEBUG, "vulkan: %zu bytes of compiled pipelines", length);
    else
        weft_log_print(log, WEFT_LOG_DEBUG, "vulkan: no compiled pipelines: %s", why);
    return result == VK_SUCCESS ? WEFT_OK : weft_vulkan_fail(device, result, "making a pipeline cache", error);
}

static void make_folder(const struct gpu_device *device) {
    char path[PATH_SIZE];
    if (!path_of(device, false, path))
        return;
    *strrchr(path, '/') = 0; /* the user's folder first; where they are there already, this fails and that is well */
    mkdir(path, 0700);
    if (path_of(device, false, path))
        mkdir(path, 0700);
}

/* All or nothing: what reads the file meanwhile sees the old one or the new one. */
static bool store(const struct gpu_device *device, const unsigned char *data, size_t length) {
    char path[PATH_SIZE], temporary[PATH_SIZE + 8];
    struct head head = {.length = length, .checksum = checksum_of(data, length)};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    if (!path_of(device, true, path))
        return false;
    make_folder(device);
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!file) {
        if (descriptor >= 0) {
            close(descriptor);
            unlink(temporary);
        }
        return false;
    }
    bool good = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(data, 1, length, file) == length;
    good = fclose(file) == 0 && good && rename(temporary, path) == 0;
    if (!good)
        unlink(temporary);
    return good;
}

/* Begins anew where the cache has grown too large. It may stay as it is where there is no other one. */
static void limit(struct gpu_device *device) {
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache other;
    size_t length = 0;
    pthread_rwlock_wrlock(&device->cache_lock);
    if (device->call.GetPipelineCacheData(device->handle, device->cache, &length, NULL) == VK_SUCCESS &&
        length > VULKAN_CACHE_LARGEST && device->call.CreatePipelineCache(device->handle, &info, NULL, &other) == VK_SUCCESS) {
        device->call.DestroyPipelineCache(device->handle, device->cache, NULL);
        device->cache = other;
        device->cache_size = 0;
    }
    pthread_rwlock_unlock(&device->cache_lock);
}

VkResult weft_vulkan_cache_make(struct gpu_device *device, const VkComputePipelineCreateInfo *info, VkPipeline *pipeline) {
    pthread_rwlock_rdlock(&device->cache_lock);
    VkResult result = device->call.CreateComputePipelines(device->handle, device->cache, 1, info, NULL, pipeline);
    pthread_rwlock_unlock(&device->cache_lock);
    if (atomic_fetch_add(&device->cache_made, 1) % VULKAN_CACHE_LOOK == VULKAN_CACHE_LOOK - 1)
        limit(device);
    return result;
}

void weft_vulkan_cache_close(struct gpu_device *device) {
    size_t length = 0;
    if (!device->cache)
        return;
    if (!atomic_load(&device->lost) &&
        device->call.GetPipelineCacheData(device->handle, device->cache, &length, NULL) == VK_SUCCESS &&
        length > device->cache_size && length > 16 + VK_UUID_SIZE && length <= VULKAN_CACHE_LARGEST) {
        unsigned char *data = weft_allocate(length, 1);
        if (data && device->call.GetPipelineCacheData(device->handle, device->cache, &length, data) == VK_SUCCESS &&
            !store(device, data, length))
            weft_log_print(&device->base.base.log, WEFT_LOG_DEBUG, "vulkan: compiled pipelines could not be kept");
        weft_free(data);
    }
    device->call.DestroyPipelineCache(device->handle, device->cache, NULL);
}
