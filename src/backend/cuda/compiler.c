/* SPDX-License-Identifier: MIT */
#include "backend/cuda/compiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "backend/cuda/find_nvrtc.h"
#include "backend/gpu/device/embedded.h"
#include "base/library.h"
#include "base/memory.h"
#include "base/status.h"

static const struct weft_library_function functions[] = {
#define NVRTC_ROW(name, ...) {CUDA_TEXT(name), offsetof(struct cuda_compiler, name)},
    NVRTC_FUNCTIONS(NVRTC_ROW)
#undef NVRTC_ROW
};

weft_status weft_cuda_compiler_find(struct cuda_compiler *compiler, int driver_version, weft_error *error) {
    *compiler = (struct cuda_compiler){0};
    if (pthread_mutex_init(&compiler->mutex, NULL) != 0)
        return weft_fail(error, WEFT_ERROR_MEMORY, "no memory for a mutex");
    compiler->has_mutex = true;
    weft_cuda_find_compiler(driver_version / 1000, compiler->path, sizeof compiler->path, &compiler->identity);
    return WEFT_OK;
}

void weft_cuda_compiler_clear(struct cuda_compiler *compiler) {
    weft_library_close(compiler->library);
    if (compiler->has_mutex)
        pthread_mutex_destroy(&compiler->mutex);
    weft_free(compiler->names);
    weft_free(compiler->headers);
    weft_free(compiler->texts);
    weft_free(compiler->architectures);
    *compiler = (struct cuda_compiler){0};
}

static weft_status unpack_texts(struct cuda_compiler *compiler, weft_error *error) {
    weft_status status = weft_gpu_unpack(GPU_EMBEDDED_TEXTS, &compiler->texts, &compiler->texts_size, error);
    if (status != WEFT_OK)
        return status;
    const char *at = (const char *)compiler->texts, *end = at + compiler->texts_size;
    int count = 0;
    for (const char *each = at; each < end; each += strlen(each) + 1)
        count++;
    compiler->names = weft_allocate((size_t)count / 2 + 2, sizeof *compiler->names);
    compiler->headers = weft_allocate((size_t)count / 2 + 2, sizeof *compiler->headers);
    if (!compiler->names || !compiler->headers)
        return weft_fail_memory(error, (size_t)count * sizeof *compiler->names, "the kernels' text");
    for (; at < end; compiler->header_count++) {
        compiler->names[compiler->header_count] = at;
        at += strlen(at) + 1;
        compiler->headers[compiler->header_count] = at;
        at += strlen(at) + 1;
    }
    return WEFT_OK;
}

static weft_status find_architectures(struct cuda_compiler *compiler, weft_error *error) {
    int count = 0, *all;
    if (compiler->nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count < 1)
        return weft_fail(error, WEFT_ERROR_DEVICE, "NVRTC (%.200s) does not say which GPUs it knows", compiler->path);
    all = weft_allocate((size_t)count, sizeof *all);
    if (!all)
        return weft_fail_memory(error, (size_t)count * sizeof *all, "the compiler's architectures");
    compiler->nvrtcGetSupportedArchs(all);
    compiler->least = compiler->most = all[0];
    for (int i = 1; i < count; i++) {
        compiler->least = all[i] < compiler->least ? all[i] : compiler->least;
        compiler->most = all[i] > compiler->most ? all[i] : compiler->most;
    }
    compiler->architectures = all, compiler->architecture_count = count;
    return WEFT_OK;
}

/* With the mutex held. */
static weft_status open_library(struct cuda_compiler *compiler, weft_error *error) {
    int major = 0, minor = 0;
    if (compiler->library)
        return WEFT_OK;
    if (compiler->path[0] == 0)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "there is no compiler of CUDA's kernels: " CUDA_COMPILER_ADVICE);
    void *library = weft_library_open(compiler->path);
    if (!library)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "NVRTC cannot be opened: %.300s", weft_library_reason());
    weft_status status = WEFT_OK;
    const char *missing = weft_library_find_all(library, functions, sizeof functions / sizeof *functions, compiler);
    if (missing)
        status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "NVRTC (%.200s) is too old: it has no %s", compiler->path,
                           missing);
    if (status == WEFT_OK && compiler->nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
        status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "NVRTC (%.200s) does not start", compiler->path);
    if (status == WEFT_OK)
        status = find_architectures(compiler, error);
    if (status == WEFT_OK)
        status = unpack_texts(compiler, error);
    if (status == WEFT_OK) {
        compiler->library = library;
        compiler->version = 1000 * major + 10 * minor;
    } else {
        weft_library_close(library);
        weft_free(compiler->texts);
        weft_free(compiler->names);
        weft_free(compiler->headers);
        weft_free(compiler->architectures);
        compiler->texts = NULL, compiler->names = compiler->headers = NULL, compiler->header_count = 0;
        compiler->architectures = NULL;
    }
    return status;
}

/* The first line of what the compiler says that has the word error. */
static weft_status fail_compile(const struct cuda_compiler *compiler, nvrtcProgram program, const struct cuda_source *source,
                                weft_error *error) {
    size_t size = 0;
    char *log = NULL;
    if (compiler->nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 0)
        log = weft_allocate(size + 1, 1);
    if (log && compiler->nvrtcGetProgramLog(program, log) != NVRTC_SUCCESS)
        log[0] = 0;
    const char *said = log ? strstr(log, "error") : NULL;
    while (said && said > log && said[-1] != '\n')
        said--;
    said = said ? said : log && log[0] ? log : "no reason";
    weft_fail(error, WEFT_ERROR_INTERNAL, "NVRTC %d.%d refuses the kernel '%s': %.*s", compiler->version / 1000,
              compiler->version % 1000 / 10, source->row->name, (int)(strcspn(said, "\n") < 240 ? strcspn(said, "\n") : 240),
              said);
    weft_free(log);
    return WEFT_ERROR_INTERNAL;
}

static weft_status compile(const struct cuda_compiler *compiler, const char **names, const char **headers,
                           const struct cuda_source *source, int architecture, unsigned char **code, size_t *size,
                           weft_error *error) {
    nvrtcProgram program = NULL;
    char target[40];
    bool ptx = architecture > compiler->most;
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", ptx ? "compute" : "sm",
             ptx ? compiler->most : architecture);
    /* 177: something is not used; 550: set and not used. */
    const char *const options[] = {target, "--std=c++17", "--fmad=true", "--diag-suppress=177,550"};
    nvrtcResult result = compiler->nvrtcCreateProgram(&program, source->text, source->row->name, compiler->header_count + 2,
                                                      headers, names);
    weft_status status = WEFT_OK;
    if (result == NVRTC_SUCCESS) {
        result = compiler->nvrtcCompileProgram(program, sizeof options / sizeof *options, options);
        if (result == NVRTC_ERROR_COMPILATION)
            status = fail_compile(compiler, program, source, error);
    }
    if (result == NVRTC_SUCCESS)
        result = ptx ? compiler->nvrtcGetPTXSize(program, size) : compiler->nvrtcGetCUBINSize(program, size);
    if (result == NVRTC_SUCCESS && (*code = weft_allocate(*size + 1, 1)) == NULL)
        status = weft_fail_memory(error, *size, "a kernel's code");
    if (result == NVRTC_SUCCESS && status == WEFT_OK)
        result = ptx ? compiler->nvrtcGetPTX(program, (char *)*code) : compiler->nvrtcGetCUBIN(program, (char *)*code);
    if (status == WEFT_OK && result != NVRTC_SUCCESS)
        status = weft_fail(error, result == NVRTC_ERROR_OUT_OF_MEMORY ? WEFT_ERROR_MEMORY : WEFT_ERROR_INTERNAL,
                           "NVRTC (%.200s) cannot compile the kernel '%s': error %d", compiler->path, source->row->name,
                           (int)result);
    if (program)
        compiler->nvrtcDestroyProgram(&program);
    if (status != WEFT_OK) {
        weft_free(*code);
        *code = NULL;
    }
    return status;
}

static weft_status open_locked(struct cuda_compiler *compiler, weft_error *error) {
    pthread_mutex_lock(&compiler->mutex);
    weft_status status = open_library(compiler, error);
    pthread_mutex_unlock(&compiler->mutex);
    return status;
}

weft_status weft_cuda_compiler_knows(struct cuda_compiler *compiler, int architecture, weft_error *error) {
    char known[256] = "";
    weft_status status = open_locked(compiler, error);
    for (int i = 0; status == WEFT_OK && i < compiler->architecture_count; i++) {
        size_t length = strlen(known);
        if (compiler->architectures[i] == architecture)
            return WEFT_OK;
        snprintf(known + length, sizeof known - length, "%s%d", i ? ", " : "", compiler->architectures[i]);
    }
    if (status != WEFT_OK)
        return status;
    return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "NVRTC %d.%d makes no code for architecture %d; it does for %s",
                     compiler->version / 1000, compiler->version % 1000 / 10, architecture, known);
}

weft_status weft_cuda_compile(struct cuda_compiler *compiler, const struct cuda_source *source, int architecture,
                              unsigned char **code, size_t *size, weft_error *error) {
    *code = NULL;
    weft_status status = open_locked(compiler, error);
    if (status != WEFT_OK)
        return status;
    if (architecture < compiler->least)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "NVRTC %d.%d knows no GPU of compute capability %d.%d, only %d.%d and later: an older NVRTC does",
                         compiler->version / 1000, compiler->version % 1000 / 10, architecture / 10, architecture % 10,
                         compiler->least / 10, compiler->least % 10);
    /* Other threads have other kernels' own headers. */
    size_t count = (size_t)compiler->header_count;
    const char **lists = weft_allocate(2 * (count + 2), sizeof *lists);
    if (!lists)
        return weft_fail_memory(error, 2 * (count + 2) * sizeof *lists, "a kernel's headers");
    const char **headers = lists + count + 2;
    memcpy(lists, compiler->names, count * sizeof *lists);
    memcpy(headers, compiler->headers, count * sizeof *headers);
    lists[count] = "known.h", headers[count] = source->known;
    lists[count + 1] = "point_operations.h", headers[count + 1] = source->operations;
    status = compile(compiler, lists, headers, source, architecture, code, size, error);
    weft_free(lists);
    return status;
}
