/* SPDX-License-Identifier: MIT
 * The emulated driver's modules: it knows the fatbins of this build by their bytes, and runs the code that was compiled
 * for the processor from the same source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "backend/gpu/kernels.h"
#include "driver.h"

/* A fatbin says how long it is: a header of 16 bytes whose last eight are the length of what follows. What a quick build
 * did not compile is a name (cmake/Kernels.cmake). */
static size_t image_size(const unsigned char *image) {
    if (memcmp(image, "weft:", 5) == 0)
        return strlen((const char *)image);
    uint32_t magic;
    uint64_t length;
    memcpy(&magic, image, 4);
    memcpy(&length, image + 8, 8);
    return magic == 0xba55ed50u ? 16 + (size_t)length : 0;
}

static bool is_there(const unsigned char *image, const unsigned char *first, const unsigned char *end) {
    size_t size = image_size(image);
    return size > 0 && first && (size_t)(end - first) >= size && memcmp(first, image, size) == 0;
}

static const struct emulated_code *code_of(const unsigned char *image, int *row) {
    for (int i = 0; weft_gpu_kernels[i].name; i++) {
        const struct gpu_kernel_row *each = &weft_gpu_kernels[i];
        *row = i;
        for (int k = each->first_code; k < each->first_code + each->code_count; k++)
            if (is_there(image, weft_gpu_codes[k].code, weft_gpu_codes[k].code_end))
                return emulated_codes[k];
    }
    return NULL;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuModuleLoadData");
    int row = 0;
    if (result == CUDA_SUCCESS && strncmp(image, ".version", 8) == 0) /* a text, for which a driver may have no compiler */
        return emulated_leave(CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    const struct emulated_code *code = code_of(image, &row);
    if (result == CUDA_SUCCESS && !code) {
        fputs("emulated CUDA device: code of another build than this libcuda.so.1; build the target emulated_cuda\n",
              stderr);
        result = CUDA_ERROR_INVALID_IMAGE;
    }
    if (result == CUDA_SUCCESS && emulated_fails())
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        *module = calloc(1, sizeof **module);
        emulated_add(&(*module)->object, OBJECT_MODULE, context);
        (*module)->row = row;
        (*module)->function =
            (struct CUfunc_st){code, weft_gpu_kernels[row].threads_x * weft_gpu_kernels[row].threads_y, 0};
    }
    return emulated_leave(result);
}
CUresult cuModuleUnload(CUmodule module) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuModuleUnload");
    if (!emulated_is(module, OBJECT_MODULE))
        emulated_fault("cuModuleUnload of no module");
    emulated_run_all();
    emulated_remove(&module->object);
    return emulated_leave(result);
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !emulated_is(module, OBJECT_MODULE))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && strcmp(name, weft_gpu_kernels[module->row].name) != 0)
        result = CUDA_ERROR_NOT_FOUND;
    if (result == CUDA_SUCCESS)
        *function = &module->function;
    return emulated_leave(result);
}

static bool is_function(CUfunction function) {
    for (struct object *each = emulated_objects; each; each = each->next)
        if (each->kind == OBJECT_MODULE && &((CUmodule)(void *)each)->function == function)
            return true;
    return false;
}
CUresult cuFuncLoad(CUfunction function) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuFuncLoad");
    if (result == CUDA_SUCCESS && !is_function(function))
        result = CUDA_ERROR_INVALID_HANDLE;
    return emulated_leave(result);
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !is_function(function))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
        *value = function->threads;
    else if (result == CUDA_SUCCESS && attribute == CU_FUNC_ATTRIBUTE_PTX_VERSION)
        *value = (int)emulated.capability; /* as if compiled for it */
    else if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_INVALID_VALUE;
    return emulated_leave(result);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !is_function(function))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        function->shared = (unsigned)value;
    return emulated_leave(result);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && (!is_function(function) || threads < 1 || shared != function->shared))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *blocks = 2048 / threads;
    return emulated_leave(result);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    unsigned blocks_x = config->gridDimX, blocks_y = config->gridDimY, blocks_z = config->gridDimZ;
    unsigned threads_x = config->blockDimX, threads_y = config->blockDimY, threads_z = config->blockDimZ;
    unsigned shared = config->sharedMemBytes;
    CUstream stream = config->hStream;
    /* Launches that overlap are for kernels that wait by themselves, which those before 9.0 do not. */
    if (config->numAttrs > 1 || (config->numAttrs == 1 && (emulated.capability < 90 ||
                                 config->attrs[0].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !is_function(function))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS &&
        (blocks_x == 0 || blocks_y == 0 || blocks_z == 0 || blocks_x > 0x7fffffff || blocks_y > 65535 ||
         blocks_z > 65535 || shared != function->shared || !arguments || !arguments[0] || extra))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && (uint64_t)threads_x * threads_y * threads_z != (uint64_t)function->threads)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        struct work work = {.kind = WORK_LAUNCH,
                            .function = function,
                            .blocks = {blocks_x, blocks_y, blocks_z},
                            .threads = {threads_x, threads_y, threads_z}};
        memcpy(&work.launch, arguments[0], sizeof work.launch);
        result = emulated_put(context, stream, &work);
    }
    return emulated_leave(result);
}
