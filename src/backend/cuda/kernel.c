/* SPDX-License-Identifier: MIT
 * Kernels: a text made for a launch, code of it from a pack, the user's folder or the compiler, and the driver's function. */
#include <stdio.h>
#include <string.h>
#include "backend/cuda/cuda.h"
#include "backend/cuda/kernel_source.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status fail_load(struct gpu_device *device, CUresult result, const char *name, weft_error *error) {
    switch (result) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "the NVIDIA driver finds no code of kernel '%s' for compute capability %d.%d", name,
                         device->capability / 10, device->capability % 10);
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
        return weft_fail(
            error, WEFT_ERROR_UNSUPPORTED,
            "the NVIDIA driver cannot compile kernel '%s' for compute capability %d.%d: a newer driver, or an "
            "NVRTC that knows this GPU, can",
            name, device->capability / 10, device->capability % 10);
    case CUDA_ERROR_OUT_OF_MEMORY:
        return weft_fail(error, WEFT_ERROR_MEMORY, "the CUDA device '%s' has no memory left for kernel '%s'",
                         device->info.name, name);
    default:
        return weft_cuda_check(device, result, "loading a kernel", error);
    }
}

/* `code`: machine code, or PTX. */
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
    kernel->occupancy = (blocks > 0 ? blocks : 1) * device->base.limits.multiprocessors;
    return WEFT_OK;
}

weft_status weft_cuda_code_get(struct cuda_compiler *compiler, const struct cuda_store *store,
                               const struct cuda_source *source, int architecture, unsigned char **code, size_t *size,
                               weft_error *error) {
    struct cuda_key key = {{source->hash[0], source->hash[1]}, compiler->identity, architecture, ""};
    snprintf(key.name, sizeof key.name, "%s", source->row->name);
    if (weft_cuda_pack_find(store, &key, code, size) || (key.compiler != 0 && weft_cuda_store_find(store, &key, code, size)))
        return WEFT_OK;
    weft_status status = weft_cuda_compile(compiler, source, architecture, code, size, error);
    if (status == WEFT_OK)
        weft_cuda_store_put(store, &key, *code, *size);
    return status;
}

static struct gpu_kernel *kernel_of(struct gpu_made *made) { return (struct gpu_kernel *)(void *)made; }

static void destroy(struct gpu_device *device, struct gpu_kernel *kernel) {
    if (kernel->module)
        device->api.cuModuleUnload(kernel->module);
    weft_free(kernel);
}

/* A kernel that a thread is making. */
struct cuda_pending {
    struct cuda_pending *next;
    const struct gpu_made *made;
};

static bool is_pending(const struct gpu_device *device, const struct gpu_made *made) {
    for (const struct cuda_pending *each = device->pending; each; each = each->next)
        if (each->made->code == made->code && memcmp(each->made->values, made->values, sizeof made->values) == 0)
            return true;
    return false;
}

static weft_status make_kernel(struct gpu_device *device, const struct cuda_source *source, struct gpu_kernel *kernel,
                               weft_error *error) {
    CUmodule module = NULL;
    CUfunction function = NULL;
    unsigned char *code = NULL;
    size_t size = 0;
    weft_status status =
        weft_cuda_code_get(&device->compiler, &device->store, source, device->capability, &code, &size, error);
    if (status == WEFT_OK)
        status = weft_cuda_enter(device, error);
    if (status == WEFT_OK) {
        CUresult result = load_module(device, source->row, code, &module, &function);
        status = make(device, source->row, result, module, function, kernel, error);
        weft_cuda_leave(device);
    }
    weft_free(code);
    return status;
}

/* Makes a kernel that is not there: others that want the same wait for it. */
static weft_status add_kernel(struct gpu_device *device, const struct cuda_source *source, struct gpu_kernel *kernel,
                              weft_error *error) {
    struct cuda_pending pending = {device->pending, &kernel->made}, **at = &device->pending;
    device->pending = &pending;
    pthread_mutex_unlock(&device->kernel_mutex);
    weft_status status = make_kernel(device, source, kernel, error);
    pthread_mutex_lock(&device->kernel_mutex);
    while (*at != &pending)
        at = &(*at)->next;
    *at = pending.next;
    if (status == WEFT_OK)
        weft_gpu_cache_add(&device->kernels, &kernel->made);
    pthread_cond_broadcast(&device->kernel_made);
    return status;
}

static weft_status get_kernel(struct gpu_device *device, const struct cuda_source *source, int32_t row,
                              struct gpu_kernel **result, weft_error *error) {
    struct gpu_kernel *kernel = weft_allocate(1, sizeof *kernel);
    weft_status status = WEFT_OK;
    if (!kernel)
        return weft_fail_memory(error, sizeof *kernel, "a kernel");
    kernel->made.code = row + 1;
    kernel->made.users = 1;
    memcpy(kernel->made.values, source->hash, sizeof source->hash); /* stands for all that it is made for */
    pthread_mutex_lock(&device->kernel_mutex);
    while (is_pending(device, &kernel->made))
        pthread_cond_wait(&device->kernel_made, &device->kernel_mutex);
    *result = kernel_of(weft_gpu_cache_use(&device->kernels, kernel->made.code, kernel->made.values));
    if (!*result) {
        status = add_kernel(device, source, kernel, error);
        *result = status == WEFT_OK ? kernel : NULL;
    }
    device->base.kernel_count = device->kernels.count;
    pthread_mutex_unlock(&device->kernel_mutex);
    if (*result != kernel)
        weft_free(kernel);
    return status;
}

weft_status weft_cuda_kernel_get(struct gpu_device *device, int32_t row_index, const struct gpu_wanted *wanted,
                                 const struct gpu_kernel **result, weft_error *error) {
    const struct gpu_kernel_row *row = &weft_gpu_kernels[row_index];
    struct gpu_kernel *kernel = NULL;
    struct cuda_source source;
    weft_status status = weft_cuda_enter(device, error); /* says whether it is lost */
    if (status != WEFT_OK)
        return status;
    weft_cuda_leave(device);
    if (!row->text || row->capability > device->capability)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "the kernel '%s' is none of CUDA's for compute capability %d.%d",
                         row->name, device->capability / 10, device->capability % 10);
    status = weft_cuda_source_make(row, wanted, &source, error);
    if (status == WEFT_OK)
        status = get_kernel(device, &source, row_index, &kernel, error);
    weft_cuda_source_clear(&source);
    if (status == WEFT_OK)
        *result = kernel;
    return status;
}

void weft_cuda_kernel_release(struct gpu_device *device, const struct gpu_kernel *released) {
    struct gpu_kernel *kernel = (struct gpu_kernel *)released; /* only users see it as const */
    pthread_mutex_lock(&device->kernel_mutex);
    struct gpu_kernel *dropped = kernel_of(weft_gpu_cache_release(&device->kernels, &kernel->made));
    device->base.kernel_count = device->kernels.count;
    pthread_mutex_unlock(&device->kernel_mutex);
    if (dropped && weft_cuda_enter(device, NULL) == WEFT_OK) {
        destroy(device, dropped);
        weft_cuda_leave(device);
    } else {
        weft_free(dropped); /* what a lost device has goes with its context */
    }
}

int32_t weft_cuda_kernel_occupancy(struct gpu_device *device, const struct gpu_kernel *kernel) {
    (void)device;
    return kernel->occupancy;
}

void weft_cuda_kernels_destroy(struct gpu_device *device) {
    struct gpu_kernel *kernel;
    while ((kernel = kernel_of(weft_gpu_cache_take(&device->kernels))) != NULL)
        destroy(device, kernel);
}
