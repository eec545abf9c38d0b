/* SPDX-License-Identifier: MIT
 * Vulkan alone: names of devices, a device and semaphores of the caller's, failures of every call. */
#include "check.h"
#include "weft/weft.h"
#ifdef WEFT_HAVE_VULKAN
#include <string.h>
#include "backend/vulkan/device.h"
#include "vulkan_faults.h"

static void expect_open(const char *name, weft_status wanted, const char *words) {
    weft_device *device = NULL;
    weft_error error = {0};
    weft_status status = weft_device_open(name, NULL, &device, &error);
    if (!CHECK(status == wanted && (status == WEFT_OK || strstr(error.message, words))))
        fprintf(stderr, "%s: %d %s\n", name, status, error.message);
    weft_device_close(&device);
}

/* The index among Vulkan devices of the first that works, -1 without one. */
static int32_t first_usable(weft_device_info *info) {
    for (int32_t i = 0, vulkan = 0; weft_device_at(i, info); i++)
        if (strcmp(info->backend, "vulkan") == 0) {
            if (info->available)
                return vulkan;
            CHECK(info->detail[0]);
            vulkan++;
        }
    return -1;
}

static void test_names(const weft_device_info *info, int32_t index) {
    char name[200], words[64];
    expect_open("vulkan", WEFT_OK, "");
    snprintf(name, sizeof name, "vulkan:%d", (int)index);
    expect_open(name, WEFT_OK, "");
    expect_open("vulkan:", WEFT_ERROR_DEVICE, "needs a number");
    expect_open("vulkan:999", WEFT_ERROR_DEVICE, "there is no device vulkan:999");
    expect_open("vulkan:99999999999999999999", WEFT_ERROR_DEVICE, "there is no device");
    expect_open("vulkan:no such name", WEFT_ERROR_DEVICE, "in no Vulkan device's name");
    snprintf(words, sizeof words, "%.5s", info->name);
    for (char *letter = words; *letter; letter++)
        *letter = *letter >= 'a' && *letter <= 'z' ? (char)(*letter - 'a' + 'A') : *letter;
    snprintf(name, sizeof name, "vulkan:%s", words);
    weft_device_info other;
    int same = 0;
    for (int32_t i = 0; weft_device_at(i, &other); i++)
        same += strcmp(other.backend, "vulkan") == 0 && strncmp(other.name, info->name, 5) == 0;
    expect_open(name, same == 1 ? WEFT_OK : WEFT_ERROR_DEVICE, "several");
}

/* What takes everything that a plan takes; the first failure. */
static weft_status scenario(const weft_vulkan_handles *handles, weft_error *error) {
    weft_device_options options = {.vulkan = handles};
    weft_device *opened = NULL;
    weft_status status = weft_device_open("vulkan", &options, &opened, error);
    if (status != WEFT_OK)
        return CHECK(!opened) ? status : WEFT_OK;
    struct gpu_device *device = (struct gpu_device *)(void *)opened;
    struct gpu_memory memory = {0}, staging = {0}, launches = {0};
    struct gpu_list *list = NULL;
    struct gpu_point done;
    const struct gpu_kernel *kernel = NULL;
    const struct gpu_driver *driver = device->base.driver;
    const struct gpu_launch known = {.in_type = TYPE_U8, .in_channels = 1, .channels = 1};
    const struct gpu_wanted wanted = {.launch = &known};
    int32_t row = 0;
    while (strcmp(weft_gpu_kernels[row].name, "point") != 0)
        row++;
    status = driver->memory_create(device, GPU_MEMORY_DEVICE, 1000, &memory, error);
    if (status == WEFT_OK)
        status = driver->memory_create(device, GPU_MEMORY_STAGING, 1000, &staging, error);
    if (status == WEFT_OK)
        status = driver->memory_create(device, GPU_MEMORY_LAUNCH, sizeof(struct gpu_launch), &launches, error);
    if (status == WEFT_OK) {
        memset(launches.host, 0, sizeof(struct gpu_launch)); /* no pixels */
        status = driver->kernel_get(device, row, &wanted, &kernel, error);
    }
    struct gpu_command commands[] = {{.kind = GPU_COPY, .from = &staging, .to = &memory, .size = 1000},
                                     {.kind = GPU_LAUNCH, .kernel = kernel, .launches = &launches, .grid = {1, 1, 1}}};
    if (status == WEFT_OK)
        status = driver->list_create(device, GPU_QUEUE_COMPUTE, commands, 2, &list, error);
    if (status == WEFT_OK)
        status = driver->submit(device, list, NULL, 0, NULL, &done, error);
    if (status == WEFT_OK)
        status = driver->wait(device, done, error);
    if (fault == VK_ERROR_DEVICE_LOST && status != WEFT_OK) { /* and lost it stays */
        struct gpu_memory other;
        const struct gpu_kernel *other_kernel;
        CHECK(atomic_load(&device->lost));
        CHECK(driver->memory_create(device, GPU_MEMORY_DEVICE, 16, &other, NULL) == WEFT_ERROR_DEVICE);
        CHECK(driver->kernel_get(device, row, &wanted, &other_kernel, NULL) == WEFT_ERROR_DEVICE);
        CHECK(driver->wait(device, (struct gpu_point){GPU_QUEUE_COMPUTE, 0}, NULL) == WEFT_ERROR_DEVICE);
        if (list)
            CHECK(driver->submit(device, list, NULL, 0, NULL, &done, NULL) == WEFT_ERROR_DEVICE);
    }
    VkSemaphore timeline = device->queues[GPU_QUEUE_COMPUTE].timeline;
    uint64_t submitted = device->queues[GPU_QUEUE_COMPUTE].submitted;
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &timeline,
                                .pValues = &submitted};
    real.WaitSemaphores(device->handle, &wait, UINT64_MAX); /* the pretended loss did not stop it */
    driver->list_destroy(device, list);
    if (kernel)
        driver->kernel_release(device, kernel);
    driver->memory_destroy(device, &memory);
    driver->memory_destroy(device, &staging);
    driver->memory_destroy(device, &launches);
    weft_device_close(&opened);
    return status;
}

static void test_faults(const weft_vulkan_handles *handles) {
    static const struct {
        VkResult result;
        weft_status status;
    } faults[] = {{VK_ERROR_OUT_OF_DEVICE_MEMORY, WEFT_ERROR_MEMORY},
                  {VK_ERROR_OUT_OF_HOST_MEMORY, WEFT_ERROR_MEMORY},
                  {VK_ERROR_UNKNOWN, WEFT_ERROR_DEVICE},
                  {VK_ERROR_DEVICE_LOST, WEFT_ERROR_DEVICE}};
    weft_error error;
    fault = VK_SUCCESS;
    if (!CHECK(scenario(handles, &error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        int failed = 0;
        fault = faults[i].result;
        for (fail_at = 0; fail_at < 200; fail_at++) {
            calls = 0, asked = false;
            error = (weft_error){0};
            weft_status status = scenario(handles, &error);
            failed += status != WEFT_OK;
            CHECK(status == WEFT_OK || (status == faults[i].status && error.message[0]));
            if (calls <= fail_at)
                break;
        }
        CHECK(fail_at < 200 && failed > 15); /* some are made up for: a heap that is full, a cache that is refused */
    }
    fault = VK_SUCCESS;
}

/* ----------------------------------------------------------------------------- buffers and semaphores of the caller's
 */

static void test_sharing(const weft_vulkan_handles *handles) {
    weft_device_options options = {.vulkan = handles, .memory_limit = 12345678};
    weft_device *opened = NULL;
    weft_error error = {0};
    if (!CHECK(weft_device_open("vulkan", &options, &opened, &error) == WEFT_OK)) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    struct gpu_device *device = (struct gpu_device *)(void *)opened;
    const struct gpu_driver *driver = device->base.driver;
    CHECK(device->base.limits.memory == 12345678 && !device->base.limits.has_copy_queues && !device->owned);

    struct gpu_memory memory = {0}, staging = {0};
    CHECK(driver->memory_create(device, GPU_MEMORY_DEVICE, 4096, &memory, &error) == WEFT_OK);
    CHECK(driver->memory_create(device, GPU_MEMORY_STAGING, 4096, &staging, &error) == WEFT_OK);
    weft_image image = {
        .data = (void *)(uintptr_t)weft_vulkan_buffer(&memory), .memory = WEFT_MEMORY_VULKAN, .offset = 48};
    uint64_t place = 0;
    CHECK(driver->import(device, &image, &place, &error) == WEFT_OK && place == memory.address + 48);

    /* More semaphores than go into one submission: 11 timelines to wait for, 11 to signal, binary ones among them. */
    enum { COUNT = 11 };
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type},
                          binary = timeline;
    VkSemaphore handle[2][COUNT];
    weft_semaphore semaphores[2][COUNT];
    struct gpu_list *list = NULL;
    struct gpu_command command = {.kind = GPU_COPY, .from = &staging, .to = &memory, .size = 4096};
    struct gpu_point done, later;
    binary.pNext = NULL;
    for (int i = 0; i < 2 * COUNT; i++) {
        VkSemaphore *each = &handle[i / COUNT][i % COUNT];
        bool first = i % COUNT == 0;
        CHECK(device->call.CreateSemaphore(device->handle, first ? &binary : &timeline, NULL, each) == VK_SUCCESS);
        semaphores[i / COUNT][i % COUNT] = (weft_semaphore){(void *)(uintptr_t)*each, first ? 0 : 5};
    }
    PFN_vkSignalSemaphore signal = (PFN_vkSignalSemaphore)real_device(device->handle, "vkSignalSemaphore");
    CHECK(driver->list_create(device, GPU_QUEUE_COMPUTE, &command, 1, &list, &error) == WEFT_OK);
    struct gpu_external external = {.signal = semaphores[0],
                                    .signal_count = 1}; /* the binary one that is waited for next */
    CHECK(driver->submit(device, list, NULL, 0, &external, &done, &error) == WEFT_OK);
    CHECK(driver->wait(device, done, &error) == WEFT_OK);
    for (int i = 1; i < COUNT; i++) /* the host signals before: software devices may not return from a submission */
        signal(device->handle, &(VkSemaphoreSignalInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                                        .semaphore = handle[0][i],
                                                        .value = 5});
    external = (struct gpu_external){
        .wait = semaphores[0], .wait_count = COUNT, .signal = semaphores[1], .signal_count = COUNT};
    CHECK(driver->submit(device, list, NULL, 0, &external, &done, &error) == WEFT_OK);
    CHECK(driver->wait(device, done, &error) == WEFT_OK);
    uint64_t values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = 5;
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = COUNT - 1,
                                .pSemaphores = &handle[1][1],
                                .pValues = values};
    CHECK(device->call.WaitSemaphores(device->handle, &wait, UINT64_MAX) == VK_SUCCESS);
    external = (struct gpu_external){.wait = semaphores[1], .wait_count = 1}; /* its binary one */
    CHECK(driver->submit(device, list, NULL, 0, &external, &later, &error) == WEFT_OK && later.value == done.value + 1);
    CHECK(driver->wait(device, later, &error) == WEFT_OK);
    for (int i = 0; i < 2 * COUNT; i++)
        device->call.DestroySemaphore(device->handle, handle[i / COUNT][i % COUNT], NULL);
    driver->list_destroy(device, list);
    driver->memory_destroy(device, &memory);
    driver->memory_destroy(device, &staging);
    weft_device_close(&opened);

    weft_vulkan_handles partly = *handles;
    partly.queue = NULL;
    options.vulkan = &partly;
    CHECK(weft_device_open("vulkan", &options, &opened, &error) == WEFT_ERROR_ARGUMENT && !opened);
    options.vulkan = handles;
    CHECK(weft_device_open("vulkan:0", &options, &opened, &error) == WEFT_ERROR_ARGUMENT && !opened);
}

/* A device as a program would have made it, with what docs/vulkan.md asks for. */
static void test_borrowed(void (*test)(const weft_vulkan_handles *handles), bool faulty) {
    struct vulkan_instance instance;
    struct vulkan_physical physical;
    VkDevice device = NULL;
    VkQueue queue = NULL;
    weft_error error = {0};
    if (!CHECK(weft_vulkan_instance_open(&instance, &error) == WEFT_OK))
        return;
    real_instance = instance.loader.GetInstanceProcAddr;
    real_device = instance.call.GetDeviceProcAddr;
    CHECK(weft_vulkan_choose(&instance, NULL, &physical, &error) == WEFT_OK);
    float one = 1;
    VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = physical.family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &one};
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
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
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queues};
    if (CHECK(instance.call.CreateDevice(physical.handle, &info, NULL, &device) == VK_SUCCESS)) {
        PFN_vkGetDeviceQueue get_queue = (PFN_vkGetDeviceQueue)real_device(device, "vkGetDeviceQueue");
        PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)real_device(device, "vkDestroyDevice");
        get_queue(device, physical.family, 0, &queue);
        weft_vulkan_handles handles = {.instance = instance.handle,
                                       .physical_device = physical.handle,
                                       .device = device,
                                       .queue = queue,
                                       .queue_family = physical.family};
        if (faulty)
            handles.get_instance_proc_address = (void *)(uintptr_t)faulty_instance;
        test(&handles);
        destroy(device, NULL);
    }
    weft_vulkan_instance_close(&instance);
}

int main(void) {
    weft_device_info info;
    int32_t index = first_usable(&info);
    if (index < 0) {
        expect_open("vulkan", WEFT_ERROR_DEVICE, "");
        printf("test_vulkan: 1 skipped\n");
        return check_done("test_vulkan");
    }
    test_names(&info, index);
    test_borrowed(test_sharing, false);
    test_borrowed(test_faults, true);
    return check_done("test_vulkan");
}

#else
int main(void) {
    weft_device *device = NULL;
    CHECK(weft_device_open("vulkan", NULL, &device, NULL) == WEFT_ERROR_DEVICE && !device);
    return check_done("test_vulkan");
}
#endif
