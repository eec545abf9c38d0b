/* SPDX-License-Identifier: MIT
 * Kernels: one of the codes of a row of the index, given to the driver when a plan first asks for it. */
#include <string.h>
#include "backend/cuda/cuda.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status fail_load(struct gpu_device *device, CUresult result, const char *name, weft_error *error) {
    switch (result) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "this build has no code of kernel '%s' for compute capability %d.%d", name,
                         device->capability / 10, device->capability % 10);
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
        return weft_fail(
            error, WEFT_ERROR_UNSUPPORTED,
            "the NVIDIA driver cannot compile kernel '%s' for compute capability %d.%d: a newer driver, or a "
            "build with code for this GPU, can",
            name, device->capability / 10, device->capability % 10);
    case CUDA_ERROR_OUT_OF_MEMORY:
        return weft_fail(error, WEFT_ERROR_MEMORY, "the CUDA device '%s' has no memory left for kernel '%s'",
                         device->info.name, name);
    default:
        return weft_cuda_check(device, result, "loading a kernel", error);
    }
}

static weft_status load(struct gpu_device *device, const struct gpu_kernel_row *row, const struct gpu_kernel_code *code,
                        struct gpu_kernel *kernel, weft_error *error) {
    const struct cuda_api *api = &device->api;
    CUmodule module = NULL;
    CUfunction function = NULL;
    int threads = 0, blocks = 0;
    if (!code->fatbin)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this build has no CUDA code of kernel '%s'", row->name);
    CUresult result = api->cuModuleLoadData(&module, code->fatbin);
    if (result != CUDA_SUCCESS)
        return fail_load(device, result, row->name, error);
    result = api->cuModuleGetFunction(&function, module, row->name);
    if (result == CUDA_SUCCESS)
        result = api->cuFuncLoad(function); /* now, for a run must not */
    if (result == CUDA_SUCCESS)
        result = api->cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result == CUDA_SUCCESS)
        result =
            api->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, row->threads_x * row->threads_y, 0);
    if (result == CUDA_SUCCESS && threads < row->threads_x * row->threads_y) {
        api->cuModuleUnload(module);
        return weft_fail(error, WEFT_ERROR_INTERNAL, "kernel '%s' runs %d threads in a block, not %d x %d", row->name,
                         threads, (int)row->threads_x, (int)row->threads_y);
    }
    if (result != CUDA_SUCCESS) {
        api->cuModuleUnload(module);
        return fail_load(device, result, row->name, error);
    }
    *kernel = (struct gpu_kernel){.module = module,
                                  .function = function,
                                  .threads_x = (uint32_t)row->threads_x,
                                  .threads_y = (uint32_t)row->threads_y,
                                  .resident = (blocks > 0 ? blocks : 1) * device->base.limits.multiprocessors};
    device->base.kernel_count++;
    return WEFT_OK;
}

/* Whether a plain code will do (kernels/gpu/plain.h): no programs but conversions, and one store. */
static bool is_plain(const int32_t *specials) {
    int32_t converts = specials[SPECIAL_CONVERTS];
    bool loads = specials[SPECIAL_LOAD_COUNT] == 0 || (converts & CONVERTS_LOAD);
    bool stores = specials[SPECIAL_STORE_COUNT] == 1 || (converts & CONVERTS_STORE);
    return specials[SPECIAL_FOLDED] == 1 && specials[SPECIAL_REDUCE_COUNT] == 0 && loads && stores;
}

/* Whether a plain code reads and writes what a kernel is to read and write, no luminance made on the way. */
static bool takes(const struct gpu_kernel_code *code, const int32_t *specials) {
    struct gpu_instruction load, store; /* the first and the last */
    memcpy(&load, specials + SPECIAL_LOAD, sizeof load);
    memcpy(&store, specials + SPECIAL_STORE + 4 * (specials[SPECIAL_STORE_COUNT] - 1), sizeof store);
    int32_t type = specials[SPECIAL_LOAD_COUNT] > 0 ? load.shape >> 12 & 15 : specials[SPECIAL_IN_TYPE];
    bool same = type == code->type && specials[SPECIAL_IN_CHANNELS] == code->channels &&
                specials[SPECIAL_CHANNELS] == code->channels && (store.shape >> 8 & 15) == code->channels &&
                (store.shape >> 20 & 15) == code->stored;
    return code->type == 0 || (same && !(specials[SPECIAL_CONVERTS] & CONVERTS_LUMINANCE));
}

/* The most special of the codes that will do: they come in this order. */
static int32_t choose_code(const struct gpu_kernel_row *row, const int32_t *specials) {
    int32_t chosen = row->first_code;
    for (int32_t i = row->first_code + 1; is_plain(specials) && i < row->first_code + row->code_count; i++)
        if (takes(&weft_gpu_codes[i], specials))
            chosen = i;
    return chosen;
}

weft_status weft_cuda_kernel_get(struct gpu_device *device, int32_t row, const int32_t *specials,
                                 const struct gpu_kernel **kernel, weft_error *error) {
    int32_t code = choose_code(&weft_gpu_kernels[row], specials);
    struct gpu_kernel *cached = &device->kernels[code];
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    pthread_mutex_lock(&device->kernel_mutex);
    if (!cached->function)
        status = load(device, &weft_gpu_kernels[row], &weft_gpu_codes[code], cached, error);
    pthread_mutex_unlock(&device->kernel_mutex);
    weft_cuda_leave(device);
    if (status == WEFT_OK)
        *kernel = cached;
    return status;
}

/* There are no more of them than the build has code for: they stay. */
void weft_cuda_kernel_release(struct gpu_device *device, const struct gpu_kernel *kernel) {
    (void)device;
    (void)kernel;
}

int32_t weft_cuda_kernel_resident(struct gpu_device *device, const struct gpu_kernel *kernel) {
    (void)device;
    return kernel->resident;
}

void weft_cuda_kernels_destroy(struct gpu_device *device) {
    for (int32_t i = 0; device->kernels && i < weft_gpu_code_count; i++)
        if (device->kernels[i].module)
            device->api.cuModuleUnload(device->kernels[i].module);
    weft_free(device->kernels);
    device->kernels = NULL;
}
