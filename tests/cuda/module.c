/* SPDX-License-Identifier: MIT
 * The emulated driver's modules: libraries of the processor's code, which the stand-in for NVRTC compiled. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "driver.h"

#define FIBERS_MOST 1024 /* threads of a block */

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuModuleLoadData");
    char name[64], path[1024];
    void *library = NULL;
    const struct emulated_code *code = NULL;
    bool known = strncmp(image, EMULATED_MAGIC, strlen(EMULATED_MAGIC)) == 0 &&
                 sscanf((const char *)image + strlen(EMULATED_MAGIC), "%63s %1023s", name, path) == 2;
    if (result == CUDA_SUCCESS && known)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        code = dlsym(library, "emulated_code");
    if (result == CUDA_SUCCESS && !code) {
        const char *reason = known && !library ? dlerror() : "no code of the emulated compiler";
        fprintf(stderr, "emulated CUDA device: a module that it cannot load: %s\n", reason ? reason : "no code");
        result = CUDA_ERROR_INVALID_IMAGE;
    }
    if (result == CUDA_SUCCESS && emulated_fails())
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        *module = calloc(1, sizeof **module);
        emulated_add(&(*module)->object, OBJECT_MODULE, context);
        (*module)->library = library;
        memcpy((*module)->name, name, sizeof name);
        (*module)->function = (struct CUfunc_st){code, 0};
    } else if (library) {
        dlclose(library);
    }
    return emulated_leave(result);
}
CUresult cuModuleUnload(CUmodule module) {
    struct CUctx_st *context;
    CUresult result = emulated_enter_unsafe(&context, "cuModuleUnload");
    if (!emulated_is(module, OBJECT_MODULE))
        emulated_fault("cuModuleUnload of no module");
    emulated_run_all();
    dlclose(module->library);
    emulated_remove(&module->object);
    return emulated_leave(result);
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    struct CUctx_st *context;
    CUresult result = emulated_enter(&context);
    if (result == CUDA_SUCCESS && !emulated_is(module, OBJECT_MODULE))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && strcmp(name, module->name) != 0)
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
        *value = FIBERS_MOST;
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
    if (config->numAttrs > 1 ||
        (config->numAttrs == 1 && (emulated.capability < 90 ||
                                   config->attrs[0].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !is_function(function))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS &&
        (blocks_x == 0 || blocks_y == 0 || blocks_z == 0 || blocks_x > 0x7fffffff || blocks_y > 65535 ||
         blocks_z > 65535 || shared != function->shared || !arguments || !arguments[0] || extra))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && (uint64_t)threads_x * threads_y * threads_z > FIBERS_MOST)
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
