/* SPDX-License-Identifier: MIT
 * Kernels: one of the codes of a row of the index, given to the driver when a plan first asks for it, or one that is woven
 * for the plan's program. */
#include <string.h>
#include "backend/cuda/cuda.h"
#include "backend/cuda/weave.h"
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

/* `code`: a fatbin, or text. */
static CUresult load_module(struct gpu_device *device, const struct gpu_kernel_row *row, const void *code,
                            CUmodule *module, CUfunction *function) {
    const struct cuda_api *api = &device->api;
    CUresult result = api->cuModuleLoadData(module, code);
    if (result == CUDA_SUCCESS)
        result = api->cuModuleGetFunction(function, *module, row->name);
    return result == CUDA_SUCCESS ? api->cuFuncLoad(*function) : result; /* now, for a run must not */
}

/* Makes a kernel of a module, which it takes over, or unloads where something fails. */
static weft_status make(struct gpu_device *device, const struct gpu_kernel_row *row, CUresult result, CUmodule module,
                        CUfunction function, struct gpu_kernel *kernel, weft_error *error) {
    const struct cuda_api *api = &device->api;
    int threads = 0, blocks = 0, architecture = 0;
    if (result == CUDA_SUCCESS)
        result = api->cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result == CUDA_SUCCESS) /* of the text: what a driver makes of text for 7.5 does not wait either */
        result = api->cuFuncGetAttribute(&architecture, CU_FUNC_ATTRIBUTE_PTX_VERSION, function);
    if (result == CUDA_SUCCESS && row->shared > 0)
        result = api->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, row->shared);
    if (result == CUDA_SUCCESS)
        result = api->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, row->threads_x * row->threads_y,
                                                                  (size_t)row->shared);
    if (result == CUDA_SUCCESS && threads < row->threads_x * row->threads_y) {
        api->cuModuleUnload(module);
        return weft_fail(error, WEFT_ERROR_INTERNAL, "kernel '%s' runs %d threads in a block, not %d x %d", row->name,
                         threads, (int)row->threads_x, (int)row->threads_y);
    }
    if (result != CUDA_SUCCESS) {
        if (module)
            api->cuModuleUnload(module);
        return fail_load(device, result, row->name, error);
    }
    kernel->module = module;
    kernel->function = function;
    kernel->threads_x = (uint32_t)row->threads_x;
    kernel->threads_y = (uint32_t)row->threads_y;
    kernel->shared = (uint32_t)row->shared;
    kernel->follows = architecture >= 90;
    kernel->resident = (blocks > 0 ? blocks : 1) * device->base.limits.multiprocessors;
    return WEFT_OK;
}

/* Whether a plain code will do (kernels/gpu/plain.h): no programs but conversions, and one store. */
static bool is_plain(const int32_t *specials) {
    int32_t converts = specials[SPECIAL_CONVERTS];
    bool loads = specials[SPECIAL_LOAD_COUNT] == 0 || (converts & CONVERTS_LOAD);
    bool stores = specials[SPECIAL_STORE_COUNT] == 1 || (converts & CONVERTS_STORE);
    return specials[SPECIAL_FOLDED] == 1 && specials[SPECIAL_REDUCE_COUNT] == 0 && loads && stores;
}

/* Whether a plain code reads and writes what a kernel is to read and write, and makes luminance on the way if that
 * does. */
static bool takes(const struct gpu_kernel_code *code, const int32_t *specials) {
    struct gpu_instruction load, store; /* the first and the last */
    memcpy(&load, specials + SPECIAL_LOAD, sizeof load);
    memcpy(&store, specials + SPECIAL_STORE + 4 * (specials[SPECIAL_STORE_COUNT] - 1), sizeof store);
    bool loads = specials[SPECIAL_LOAD_COUNT] > 0, luminance = (specials[SPECIAL_CONVERTS] & CONVERTS_LUMINANCE) != 0;
    int32_t type = loads ? load.shape >> 12 & 15 : specials[SPECIAL_IN_TYPE];
    int32_t source = luminance ? load.shape & 15 : specials[SPECIAL_IN_CHANNELS];
    bool same = type == code->type && source == code->source && specials[SPECIAL_IN_CHANNELS] == code->channels &&
                specials[SPECIAL_CHANNELS] == code->channels && (store.shape >> 8 & 15) == code->channels &&
                (store.shape >> 20 & 15) == code->stored;
    bool of_luminance = code->source != code->channels && specials[SPECIAL_LOAD_COUNT] == 1;
    return code->type == 0 || (same && luminance == of_luminance);
}

/* The most special of the codes that will do: they come in this order. */
static int32_t choose_code(const struct gpu_kernel_row *row, const int32_t *specials) {
    int32_t chosen = row->first_code;
    for (int32_t i = row->first_code + 1; is_plain(specials) && i < row->first_code + row->code_count; i++)
        if (weft_gpu_codes[i].form == GPU_FORM_PLAIN && takes(&weft_gpu_codes[i], specials))
            chosen = i;
    return chosen;
}

static struct gpu_kernel *kernel_of(struct gpu_made *made) { return (struct gpu_kernel *)(void *)made; }

static void destroy(struct gpu_device *device, struct gpu_kernel *kernel) {
    device->api.cuModuleUnload(kernel->module);
    weft_free(kernel);
}

/* The woven form of a row, where it has one; NULL otherwise. */
static const unsigned char *woven_form(const struct gpu_kernel_row *row) {
    for (int32_t i = row->first_code; i < row->first_code + row->code_count; i++)
        if (weft_gpu_codes[i].form == GPU_FORM_WOVEN)
            return weft_gpu_codes[i].code;
    return NULL;
}

/* Under the lock: which programs come is not known before, and who wants one waits for it anyway. *kernel is NULL where
 * the driver has no compiler, or an older one: then it has none for whatever is woven. */
static weft_status get_woven(struct gpu_device *device, const struct gpu_kernel_row *row, const unsigned char *form,
                             const int32_t *specials, struct gpu_kernel **kernel, weft_error *error) {
    char *text = NULL;
    CUmodule module = NULL;
    CUfunction function = NULL;
    *kernel = kernel_of(weft_gpu_cache_use(&device->woven, form, specials));
    if (*kernel)
        return WEFT_OK;
    weft_status status = weft_cuda_weave((const char *)form, specials, &text, error);
    if (status != WEFT_OK)
        return status;
    CUresult result = load_module(device, row, text, &module, &function);
    weft_free(text);
    if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
        device->weaves = false;
        return WEFT_OK;
    }
    struct gpu_kernel *made = weft_allocate(1, sizeof *made);
    if (!made) {
        if (module)
            device->api.cuModuleUnload(module);
        return weft_fail_memory(error, sizeof *made, "a kernel");
    }
    status = make(device, row, result, module, function, made, error);
    if (status != WEFT_OK) {
        weft_free(made);
        return status;
    }
    made->made.code = form;
    made->made.users = 1;
    memcpy(made->made.values, specials, sizeof made->made.values);
    weft_gpu_cache_add(&device->woven, &made->made);
    *kernel = made;
    return WEFT_OK;
}

static weft_status get_fixed(struct gpu_device *device, const struct gpu_kernel_row *row, const int32_t *specials,
                             struct gpu_kernel **kernel, weft_error *error) {
    int32_t code = choose_code(row, specials);
    *kernel = &device->kernels[code];
    if ((*kernel)->function)
        return WEFT_OK;
    CUmodule module = NULL;
    CUfunction function = NULL;
    if (!weft_gpu_codes[code].code)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "this build has no CUDA code of kernel '%s'", row->name);
    CUresult result = load_module(device, row, weft_gpu_codes[code].code, &module, &function);
    weft_status status = make(device, row, result, module, function, *kernel, error);
    device->fixed += status == WEFT_OK;
    return status;
}

weft_status weft_cuda_kernel_get(struct gpu_device *device, int32_t row_index, const int32_t *specials,
                                 const struct gpu_kernel **result, weft_error *error) {
    const struct gpu_kernel_row *row = &weft_gpu_kernels[row_index];
    const unsigned char *form = weft_cuda_can_weave(specials) ? woven_form(row) : NULL;
    struct gpu_kernel *kernel = NULL;
    weft_status status = weft_cuda_enter(device, error);
    if (status != WEFT_OK)
        return status;
    pthread_mutex_lock(&device->kernel_mutex);
    if (form && device->weaves)
        status = get_woven(device, row, form, specials, &kernel, error);
    if (status == WEFT_OK && !kernel)
        status = get_fixed(device, row, specials, &kernel, error);
    device->base.kernel_count = device->fixed + device->woven.count;
    pthread_mutex_unlock(&device->kernel_mutex);
    weft_cuda_leave(device);
    if (status == WEFT_OK)
        *result = kernel;
    return status;
}

/* There are no more of the others than the build has code for: they stay. */
void weft_cuda_kernel_release(struct gpu_device *device, const struct gpu_kernel *released) {
    struct gpu_kernel *kernel = (struct gpu_kernel *)released; /* only users see it as const */
    if (!kernel->made.code)
        return;
    pthread_mutex_lock(&device->kernel_mutex);
    struct gpu_kernel *dropped = kernel_of(weft_gpu_cache_release(&device->woven, &kernel->made));
    device->base.kernel_count = device->fixed + device->woven.count;
    pthread_mutex_unlock(&device->kernel_mutex);
    if (dropped && weft_cuda_enter(device, NULL) == WEFT_OK) {
        destroy(device, dropped);
        weft_cuda_leave(device);
    } else {
        weft_free(dropped); /* what a lost device has goes with its context */
    }
}

int32_t weft_cuda_kernel_resident(struct gpu_device *device, const struct gpu_kernel *kernel) {
    (void)device;
    return kernel->resident;
}

void weft_cuda_kernels_destroy(struct gpu_device *device) {
    struct gpu_kernel *kernel;
    while ((kernel = kernel_of(weft_gpu_cache_take(&device->woven))) != NULL)
        destroy(device, kernel);
    for (int32_t i = 0; device->kernels && i < weft_gpu_code_count; i++)
        if (device->kernels[i].module)
            device->api.cuModuleUnload(device->kernels[i].module);
    weft_free(device->kernels);
    device->kernels = NULL;
}
