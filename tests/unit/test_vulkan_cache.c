/* SPDX-License-Identifier: MIT
 * The file of compiled pipelines, with a driver that is made up: written, read, damaged, of another device; and
 * how large what the driver keeps may become. */
#include "check.h"
#ifdef WEFT_HAVE_VULKAN
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "backend/vulkan/device.h"
#include "base/memory.h"

static int caches_made, caches_destroyed;
static size_t measured; /* the length that is told, where it is not that of the data */
static unsigned char cache_data[300];
static size_t cache_length, cache_given;
static bool cache_refuses;

static VKAPI_ATTR VkResult VKAPI_CALL create_cache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks, VkPipelineCache *cache) {
    (void)device, (void)callbacks;
    cache_given = info->initialDataSize;
    CHECK(!cache_given || memcmp(info->pInitialData, cache_data, cache_given) == 0);
    *cache = (VkPipelineCache)(uintptr_t)++caches_made;
    return cache_refuses && cache_given ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}
static VKAPI_ATTR void VKAPI_CALL destroy_cache(VkDevice device, VkPipelineCache cache,
                                                const VkAllocationCallbacks *callbacks) {
    (void)device, (void)cache, (void)callbacks;
    caches_destroyed++;
}
static VKAPI_ATTR VkResult VKAPI_CALL get_cache(VkDevice device, VkPipelineCache cache, size_t *size, void *data) {
    (void)device, (void)cache;
    *size = !data && measured ? measured : cache_length;
    if (data)
        memcpy(data, cache_data, cache_length);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
    (void)device, (void)infos, (void)callbacks;
    CHECK(cache == (VkPipelineCache)(uintptr_t)caches_made && count == 1); /* the latest one */
    pipelines[0] = (VkPipeline)(uintptr_t)1;
    return VK_SUCCESS;
}

static void make_pipelines(struct gpu_device *device, int count) {
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    VkPipeline pipeline;
    for (int i = 0; i < count; i++)
        CHECK(weft_vulkan_cache_make(device, &info, &pipeline) == VK_SUCCESS);
}

/* A process that makes pipelines without end: what the driver keeps of them is dropped once it is too much. */
static void test_bound(struct gpu_device *device) {
    weft_log log = {0};
    CHECK(pthread_rwlock_init(&device->cache_lock, NULL) == 0);
    device->call.CreateComputePipelines = create_pipelines;
    cache_length = 300, measured = VULKAN_CACHE_LARGEST;
    caches_made = caches_destroyed = 0;
    CHECK(weft_vulkan_cache_open(device, &log, NULL) == WEFT_OK && caches_made == 1);
    make_pipelines(device, 3 * VULKAN_CACHE_LOOK);
    CHECK(caches_made == 1);
    measured++;
    make_pipelines(device, VULKAN_CACHE_LOOK);
    CHECK(caches_made == 2 && caches_destroyed == 1 && cache_given == 0);
    measured = 0;
    make_pipelines(device, 2 * VULKAN_CACHE_LOOK);
    CHECK(caches_made == 2);
    weft_vulkan_cache_close(device); /* writes the file anew, though it was larger */
    CHECK(caches_destroyed == 2);
    device->cache = VK_NULL_HANDLE;
    pthread_rwlock_destroy(&device->cache_lock);
}

/* Opens and closes a cache; how much of the file was given to the driver. */
static size_t cycle(struct gpu_device *device, size_t grown) {
    weft_log log = {0};
    cache_length = grown;
    cache_given = 0;
    CHECK(weft_vulkan_cache_open(device, &log, NULL) == WEFT_OK);
    size_t given = cache_given;
    weft_vulkan_cache_close(device);
    device->cache = VK_NULL_HANDLE;
    return given;
}

static void damage(const char *path, long at, int value) {
    FILE *file = fopen(path, "r+b");
    if (CHECK(file)) {
        fseek(file, at, SEEK_SET);
        fputc(value, file);
        fclose(file);
    }
}

static void test_cache(void) {
    struct gpu_device *device = weft_allocate(1, sizeof *device);
    char folder[] = "/tmp/weft_cache_XXXXXX", path[300];
    if (!CHECK(device && mkdtemp(folder)))
        return;
    device->call.CreatePipelineCache = create_cache;
    device->call.DestroyPipelineCache = destroy_cache;
    device->call.GetPipelineCacheData = get_cache;
    device->physical.properties.vendorID = 0x1234;
    device->physical.properties.deviceID = 0xabcdef;
    memset(device->physical.properties.pipelineCacheUUID, 0x5a, VK_UUID_SIZE);
    const uint32_t header[] = {32, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, 0x1234, 0xabcdef};
    for (size_t i = 0; i < sizeof cache_data; i++)
        cache_data[i] = (unsigned char)(i * 7);
    memcpy(cache_data, header, sizeof header);
    memset(cache_data + sizeof header, 0x5a, VK_UUID_SIZE);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/weft/vulkan-00001234-00abcdef-5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a.bin", folder);

    CHECK(cycle(device, 32) == 0 && access(path, F_OK) != 0); /* nothing but a header is not worth a file */
    CHECK(cycle(device, 200) == 0 && access(path, R_OK) == 0);
    CHECK(cycle(device, 200) == 200);
    CHECK(cycle(device, 300) == 200); /* grown: written again */
    CHECK(cycle(device, 300) == 300);
    cache_refuses = true;
    CHECK(cycle(device, 300) == 0); /* asked twice, the second time with nothing */
    cache_refuses = false;
    damage(path, 200, 0x11);
    CHECK(cycle(device, 32) == 0);
    CHECK(cycle(device, 300) == 0 && cycle(device, 32) == 300); /* mended */
    damage(path, 20, 0x7f);                                     /* its length */
    CHECK(cycle(device, 32) == 0);
    CHECK(cycle(device, 300) == 0 && cycle(device, 32) == 300);
    test_bound(device);
    cache_length = 200, measured = VULKAN_CACHE_LARGEST + 1;
    CHECK(cycle(device, 200) == 300); /* too much for a file */
    measured = 0;
    CHECK(truncate(path, 100) == 0 && cycle(device, 32) == 0);
    CHECK(truncate(path, 0) == 0 && cycle(device, 32) == 0);
    CHECK(cycle(device, 300) == 0 && cycle(device, 32) == 300);
    device->physical.properties.deviceID++; /* a different device has a file of its own */
    CHECK(cycle(device, 32) == 0);
    device->physical.properties.deviceID--;
    unlink(path);
    cache_data[8]++; /* a file of this name with another's data */
    CHECK(cycle(device, 300) == 0 && cycle(device, 32) == 0);
    cache_data[8]--;
    unlink(path);
    CHECK(mkdir(path, 0700) == 0 && cycle(device, 300) == 0); /* cannot be written: no matter */
    rmdir(path);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    CHECK(cycle(device, 300) == 0);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", folder, 1);
    CHECK(cycle(device, 300) == 0 && cycle(device, 300) == 300); /* ~/.cache */
    snprintf(path, sizeof path, "rm -r %s", folder);
    CHECK(system(path) == 0);
    weft_free(device);
}

int main(void) {
    test_cache();
    return check_done("test_vulkan_cache");
}

#else
int main(void) { return check_done("test_vulkan_cache"); }
#endif
