/* SPDX-License-Identifier: MIT
 * Kernels as pipelines: one for each kernel and set of constants, made when first asked for. */
#include <string.h>
#include "backend/gpu/device/embedded.h"
#include "backend/vulkan/spirv/spirv.h"
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/dialect/code_path.h"

/* Threads that a multiprocessor can hold: kernels use at most 8 KB of shared memory for 256 threads, drivers provide 48 KB. */
#define OCCUPANCY_THREADS (6 * 256)

static struct gpu_kernel *kernel_of(struct gpu_made *made) { return (struct gpu_kernel *)(void *)made; }

/* Which constants a kernel is given; others keep their defaults. */
static void mark_given(int32_t constant_count, bool *given) {
    for (int32_t id = 0; id < SPECIALS; id++)
        given[id] = id < SPECIAL_KERNEL + constant_count || id >= SPECIAL_PATH;
}

static VkResult make_pipeline(struct gpu_device *device, struct gpu_kernel *kernel, const uint32_t *words, size_t count,
                              const bool *given) {
    VkSpecializationMapEntry entries[SPECIALS];
    uint32_t entry_count = 0;
    for (uint32_t id = 0; id < SPECIALS; id++)
        if (given[id])
            entries[entry_count++] =
                (VkSpecializationMapEntry){id, id * (uint32_t)sizeof *kernel->made.values, sizeof *kernel->made.values};
    VkSpecializationInfo constants = {entry_count, entries, sizeof kernel->made.values, kernel->made.values};
    VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = count * sizeof *words, .pCode = words};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .pName = "main",
                                                  .pSpecializationInfo = &constants},
                                        .layout = device->layout};
    VkResult result = device->call.CreateShaderModule(device->handle, &module, NULL, &info.stage.module);
    if (result == VK_SUCCESS) {
        result = weft_vulkan_cache_make(device, &info, &kernel->pipeline);
        device->call.DestroyShaderModule(device->handle, info.stage.module, NULL);
    }
    return result;
}

/* What the device takes of a row's modules. */
static int32_t module_of(const struct gpu_device *device, const struct gpu_kernel_row *row) {
    return device->physical.float16 && row->spirv_float16 ? row->spirv_float16 : row->spirv;
}

/* Unpacks the point filters for the first kernel. */
static weft_status get_operations(struct gpu_device *device, weft_error *error) {
    weft_status status = WEFT_OK;
    pthread_mutex_lock(&device->kernels_lock);
    if (!device->operations)
        status = weft_gpu_unpack_module(weft_gpu_operation_module, &device->operations, &device->operation_count, error);
    pthread_mutex_unlock(&device->kernels_lock);
    return status;
}

/* The words of a kernel, with the point filters that it calls. */
static weft_status get_words(struct gpu_device *device, int32_t module, uint32_t **words, size_t *count, weft_error *error) {
    uint32_t *linked = NULL;
    size_t linked_count = 0;
    weft_status status = weft_gpu_unpack_module(module, words, count, error);
    if (status == WEFT_OK)
        status = get_operations(device, error);
    if (status == WEFT_OK)
        status = weft_spirv_link(*words, *count, device->operations, device->operation_count, &linked, &linked_count, error);
    if (linked || status != WEFT_OK) {
        weft_free(*words);
        *words = linked;
        *count = linked_count;
    }
    return status;
}

static weft_status make(struct gpu_device *device, struct gpu_kernel *kernel, const struct gpu_kernel_row *row,
                        weft_error *error) {
    size_t all, count;
    bool given[SPECIALS];
    uint32_t *words, *trimmed, *with_modes = NULL;
    weft_status status = get_words(device, module_of(device, row), &words, &all, error);
    if (status != WEFT_OK)
        return status;
    kernel->occupancy = OCCUPANCY_THREADS / (row->threads_x * row->threads_y);
    mark_given(row->constant_count, given);
    weft_spirv_trim(words, all, kernel->made.values, given, SPECIALS,
                    kernel->made.values[SPECIAL_FOLDED] != 0, &trimmed, &count);
    uint32_t *made = trimmed ? trimmed : words;
    count = trimmed ? count : all;
    if (device->physical.halves)
        with_modes = weft_spirv_halves(made, count, &count);
    VkResult result = !with_modes && device->physical.halves
                          ? VK_ERROR_OUT_OF_HOST_MEMORY
                          : make_pipeline(device, kernel, with_modes ? with_modes : made, count, given);
    weft_free(with_modes);
    weft_free(trimmed);
    weft_free(words);
    if (result == VK_SUCCESS)
        return WEFT_OK;
    if (result == VK_ERROR_DEVICE_LOST || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
        result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        return weft_vulkan_fail(device, result, "compiling a kernel", error);
    return weft_fail(error, WEFT_ERROR_DEVICE,
                     "the driver of the Vulkan device '%.128s' cannot compile the kernel '%s': %s (%d)",
                     device->physical.properties.deviceName, row->name, weft_vulkan_result_name(result), (int)result);
}

static void destroy(struct gpu_device *device, struct gpu_kernel *kernel) {
    if (kernel->pipeline)
        device->call.DestroyPipeline(device->handle, kernel->pipeline, NULL);
    weft_free(kernel);
}

/* What pipelines know: everything about short programs. */
static void find_specials(const struct gpu_wanted *wanted, int32_t *specials) {
    const struct gpu_launch *launch = wanted->launch;
    if (!launch || launch->load_count > LAUNCH_FOLDED || launch->store_count > LAUNCH_FOLDED)
        return; /* kernels read none of the others */
    specials[SPECIAL_FOLDED] = 1;
    specials[SPECIAL_IN_TYPE] = launch->in_type;
    specials[SPECIAL_IN_CHANNELS] = launch->in_channels;
    specials[SPECIAL_CHANNELS] = launch->channels;
    specials[SPECIAL_LOAD_COUNT] = launch->load_count;
    specials[SPECIAL_STORE_COUNT] = launch->store_count;
    specials[SPECIAL_BORDER] = launch->border;
    specials[SPECIAL_REDUCE_COUNT] = launch->reduce_count;
    specials[SPECIAL_CONVERTS] = launch->converts;
    for (int32_t i = 0; i < LAUNCH_FOLDED; i++) {
        specials[SPECIAL_LOAD + 4 * i] = specials[SPECIAL_STORE + 4 * i] = OP_NONE;
        if (i < launch->load_count)
            memcpy(&specials[SPECIAL_LOAD + 4 * i], &launch->load[i], sizeof launch->load[i]);
        if (i < launch->store_count)
            memcpy(&specials[SPECIAL_STORE + 4 * i], &launch->store[i], sizeof launch->store[i]);
    }
}

weft_status weft_vulkan_kernel_get(struct gpu_device *device, int32_t row_index, const struct gpu_wanted *wanted,
                                   const struct gpu_kernel **result, weft_error *error) {
    const struct gpu_kernel_row *row = &weft_gpu_kernels[row_index];
    int32_t values[SPECIALS] = {0};
    if (atomic_load(&device->lost))
        return weft_vulkan_lost(device, error);
    int32_t code = module_of(device, row);
    if (code == 0)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "the kernel '%s' was built without Vulkan", row->name);
    find_specials(wanted, values);
    values[SPECIAL_PATH] = values[SPECIAL_FOLDED] ? wanted->path : 0;
    memcpy(values + SPECIAL_KERNEL, row->constants, (size_t)row->constant_count * sizeof *values);
    values[SPECIAL_HALVES] = device->physical.halves;
    values[SPECIAL_UNITS] = device->physical.units;
    pthread_mutex_lock(&device->kernels_lock);
    struct gpu_kernel *kernel = kernel_of(weft_gpu_cache_use(&device->kernels, code, values));
    pthread_mutex_unlock(&device->kernels_lock);
    *result = kernel;
    if (kernel)
        return WEFT_OK;

    kernel = weft_allocate(1, sizeof *kernel);
    if (!kernel)
        return weft_fail_memory(error, sizeof *kernel, "a kernel");
    kernel->made.code = code;
    kernel->made.users = 1;
    memcpy(kernel->made.values, values, sizeof values);
    weft_status status = make(device, kernel, row, error); /* without the lock: others may want others */
    if (status != WEFT_OK) {
        destroy(device, kernel);
        return status;
    }
    pthread_mutex_lock(&device->kernels_lock);
    struct gpu_kernel *other = kernel_of(weft_gpu_cache_use(&device->kernels, code, values));
    if (!other)
        weft_gpu_cache_add(&device->kernels, &kernel->made);
    device->base.kernel_count = device->kernels.count;
    pthread_mutex_unlock(&device->kernels_lock);
    *result = other ? other : kernel;
    if (other) /* another thread was faster */
        destroy(device, kernel);
    return WEFT_OK;
}

void weft_vulkan_kernel_release(struct gpu_device *device, const struct gpu_kernel *released) {
    struct gpu_kernel *kernel = (struct gpu_kernel *)released; /* only users see it as const */
    pthread_mutex_lock(&device->kernels_lock);
    struct gpu_kernel *dropped = kernel_of(weft_gpu_cache_release(&device->kernels, &kernel->made));
    device->base.kernel_count = device->kernels.count;
    pthread_mutex_unlock(&device->kernels_lock);
    if (dropped)
        destroy(device, dropped);
}

int32_t weft_vulkan_kernel_occupancy(struct gpu_device *device, const struct gpu_kernel *kernel) {
    return device->base.limits.multiprocessors * (kernel->occupancy > 0 ? kernel->occupancy : 1);
}

void weft_vulkan_kernels_destroy(struct gpu_device *device) {
    struct gpu_kernel *kernel;
    while ((kernel = kernel_of(weft_gpu_cache_take(&device->kernels))) != NULL)
        destroy(device, kernel);
    weft_free(device->operations);
    device->operations = NULL;
}
